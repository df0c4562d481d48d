"""``tamaya agree``: how often agents make the moves of recorded games."""

import itertools
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from rich.text import Text

from tamaya.cli.options import Json, agent_names
from tamaya.cli.printing import console
from tamaya.cli.printing.progress import progress_bar
from tamaya.cli.printing.tables import figure_lines
from tamaya.cli.recorded_games import GameFile
from tamaya.engine.text import count_of

if TYPE_CHECKING:
    from tamaya.arena.analysis.agreement import AgreedShare, Agreement, AgreementCount

EXAMPLES = ("agree piers iggi games.jsonl", "agree information games.safetensors --games 100 --asks 1")


def agree(
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="Agents.", autocompletion=agent_names)],
    file: GameFile,
    games: Annotated[
        int | None, typer.Option("--games", "-g", metavar="N", help="Only the first games of the file. [default: all]")
    ] = None,
    asks: Annotated[
        int, typer.Option("--asks", "-a", metavar="N", help="How often each agent is asked for each move.")
    ] = 10,
    json: Json = False,
) -> None:
    """Show how often, and how likely, agents make the moves of recorded games."""
    from tamaya.agents.registry import make_agent
    from tamaya.arena.analysis.agreement import AgreementCount
    from tamaya.game.replay import records

    if games is not None and games < 1:
        raise ValueError("--games must be at least 1")
    if asks < 1:
        raise ValueError("--asks must be at least 1")
    count = sum(1 for _ in itertools.islice(records(file), games))
    with console.prints_aside():
        comparison = AgreementCount([make_agent(agent) for agent in agents], asks)
    try:
        compare(comparison, file, count)
    finally:
        print_agreement(comparison, file, json)


def compare(comparison: "AgreementCount", file: str, count: int) -> None:
    """Compares the first games of a file, with a progress bar."""
    from tamaya.game.replay import game_in, records

    with progress_bar("comparing", count) as advance:
        for done, record in enumerate(itertools.islice(records(file), count), 1):
            game = game_in(file, done, record)
            try:
                comparison.add(game)
            except ValueError as error:
                raise ValueError(f"{error}, of game {done} of {file}") from error
            advance(1)


def print_agreement(comparison: "AgreementCount", file: str, json: bool) -> None:
    """Prints what was compared, even when it was cut short."""
    results = [one for one in comparison.results if one.total.moves]
    if json:
        console.print_json(
            {"file": file, "asks": comparison.asks, "results": [json_of_agreement(one) for one in results]}
        )
        return
    if not results:
        return
    first = results[0]
    console.out.print(f"{count_of(first.games, 'game')}, {count_of(first.total.moves, 'move')}\n")
    console.print_lines(agreement_lines(results, console.out.width))


def json_of_agreement(one: "Agreement") -> dict[str, object]:
    """Returns a result with the likelihoods beside their logarithms."""

    def share(part: "AgreedShare") -> dict[str, object]:
        return msgspec.to_builtins(part) | {"likelihood": part.likelihood} if part.moves else {"moves": 0}

    return {
        "agent": one.agent,
        "games": one.games,
        **share(one.total),
        "margin": one.margin,
        "kinds": {name: share(part) for name, part in one.kinds.items()},
        "phases": {name: share(part) for name, part in one.phases.items()},
    }


def agreement_lines(results: "list[Agreement]", width: int) -> Iterator[Text]:
    """Says how far agents agree: with all moves, by the kind of the move, and by the phase of the game."""
    rows = []
    for one in results:
        margin = "" if math.isnan(one.margin) else f" ± {one.margin:.1%}"
        rows.append({"agent": one.agent, "agrees": f"{one.total.agrees:.1%}{margin}"} | likelihood_of(one.total))
    yield from figure_lines(rows, width)
    for title, name in (("by the kind of the move", "kinds"), ("by the phase of the game", "phases")):
        yield Text(f"\n{title}: agreement, and likelihood")
        first = getattr(results[0], name)
        used = [key for key, part in first.items() if part.moves]
        table = [{"agent": "moves"} | {key: f"{first[key].moves:,}" for key in used}]
        for one in results:
            parts = getattr(one, name)
            table.append(
                {"agent": one.agent} | {key: f"{parts[key].agrees:.1%} {parts[key].likelihood:.3f}" for key in used}
            )
        yield from figure_lines(table, width)
    yield Text(
        "\nlikelihood: the geometric mean of how likely the agent makes the move; one move in a hundred is random"
    )


def likelihood_of(share: "AgreedShare") -> dict[str, str]:
    """Returns the columns about likelihood."""
    return {"likelihood": f"{share.likelihood:.3f}", "log-likelihood": f"{share.log_likelihood:.3f}"}
