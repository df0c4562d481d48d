"""``tamaya think``: what an agent thinks at a turn of a recorded game."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from tamaya.cli.options import Json, agent_names
from tamaya.cli.printing import console
from tamaya.cli.printing.games import spoken
from tamaya.cli.printing.tables import figure_lines
from tamaya.cli.recorded_games import GameFile, game_at
from tamaya.engine.text import duration

if TYPE_CHECKING:
    from tamaya.game.game import Game
    from tamaya.game.notation import Wording
    from tamaya.policies.agent import Agent, Thoughts

EXAMPLES = ("think games.jsonl", 'think games.jsonl --game 3 --turn 12 --agent "flat(piers, deals=500)"')

THINKER = "mo(rules=goodman, rollout=vdb, ms=1000)"
"""Who thinks about a game whose players are unknown."""


def think(
    file: GameFile,
    game: Annotated[int, typer.Option("--game", "-g", metavar="N", help="Which game of the file, from 1.")] = 1,
    turn: Annotated[
        int | None,
        typer.Option("--turn", "-t", metavar="N", help="Think after this many moves. [default: half of them]"),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent",
            "-a",
            metavar="AGENT",
            help=f"Who thinks. [default: the agent that played, with a search on top; or else {THINKER}]",
            autocompletion=agent_names,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show what an agent thinks at a turn of a recorded game."""
    from tamaya.agents.reasons import reasons
    from tamaya.agents.registry import make_agent
    from tamaya.game.notation import Move
    from tamaya.policies.agent import WrongAnswer, blame
    from tamaya.policies.contract import PolicyError

    played, record, made = game_at(file, game, turn)
    if turn is None and played.is_over:
        played, record, made = game_at(file, game, len(played.moves) // 2)
    if played.is_over:
        raise ValueError(f"the game is over after {turn} moves; there is nothing to think about")
    with console.prints_aside():
        agents = record.tamaya.agents if record.tamaya else []
        thinker = make_agent(agent) if agent else default_thinker(agents[played.seat] if agents else "")
        thinker.check_table(played.settings)
        try:
            view = played.view()
            thoughts = thinker.think(view)
            why = reasons(thinker, view, view.encode(Move.parse(thoughts.move)), thoughts)
        except WrongAnswer as error:
            raise PolicyError(f"{thinker} {error}, at turn {played.turn} of the game") from error
        except PolicyError:
            raise
        except (Exception, SystemExit) as error:
            raise PolicyError(f"{thinker} raised {blame(error)}, at turn {played.turn} of the game") from error
    if json:
        console.print_json({"thoughts": thoughts, "made": made, "reasons": why})
    else:
        print_thoughts(played, thoughts, made, why)


def default_thinker(name: str) -> "Agent":
    """Returns who thinks about a move of an agent: a search for itself, others with a search on top if that can be.

    A file does not start programs, so bots do not think unless they are asked by name.
    """
    from tamaya.agents.registry import make_agent
    from tamaya.agents.searches import SEARCHES
    from tamaya.policies.language import AgentError, parse

    (call, *_) = parse(name or THINKER)
    if not name or any(one.name == "pipe" for one in call.within()):
        return make_agent(THINKER)
    if call.name in SEARCHES:
        return make_agent(name)
    try:
        return make_agent(f"search({name}, ms=500)")
    except AgentError:
        return make_agent(name)


def print_thoughts(played: "Game", thoughts: "Thoughts", made: str, why: list[str]) -> None:
    """Prints the table, the moves that were considered, the one that was chosen, and why."""
    from tamaya.play.terminal.colours import coloured

    wording = played.wording
    console.out.print(coloured(f"{played}\n", wording), soft_wrap=True)
    if thoughts.candidates:
        console.print_lines(thought_lines(thoughts, made, wording, console.out.width))
        deepest = "" if thoughts.policy_move else f"deepest node {thoughts.depth}, "
        console.out.print(
            f"\n{thoughts.iterations:,} iterations, {deepest}{duration(thoughts.milliseconds / 1000)}; "
            "values in points, ± is the standard error"
        )
    if thoughts.foreseen:
        outcome = "" if thoughts.candidates else ", too seldom to search for a reply"
        console.out.print(f"the last moves of the others were foreseen with {thoughts.foreseen:.0%}{outcome}")
    told = f"; in the game: {spoken(made, wording)}" if made else ""
    console.out.print(coloured(f"{thoughts.agent}: {spoken(thoughts.move, wording)}{told}", wording), soft_wrap=True)
    for line in why:
        console.out.print(coloured(line, wording), soft_wrap=True)


def thought_lines(thoughts: "Thoughts", made: str, wording: "Wording", width: int) -> Iterator[Text]:
    """Shows the moves that a search considered, and marks its choice, that of its policy and the move made."""
    marks = {"chosen": thoughts.move, "of the policy": thoughts.policy_move, "made in the game": made}
    rows = [
        {
            "move": spoken(one.move, wording),
            "visits": f"{one.visits:,}",
            "value": f"{one.value:.2f}"
            if math.isnan(one.standard_error)
            else f"{one.value:.2f} ± {one.standard_error:.2f}",
            "": ", ".join(word for word, move in marks.items() if move == one.move),
        }
        for one in thoughts.candidates
    ]
    return figure_lines(rows, width)
