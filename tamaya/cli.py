"""The command line: match, run, report, reproduce, agents, show, think, check."""

import contextlib
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from tamaya import console, laboratory
from tamaya.cards import SEATS
from tamaya.settings import Multicolour, Settings
from tamaya.tables import listing

if TYPE_CHECKING:
    from tamaya.game import Game
    from tamaya.policies import Policy
    from tamaya.recipes import Search

app = typer.Typer(
    help="The laboratory for Hanabi.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def parse_players(text: str) -> list[int]:
    """The numbers of players of ``3``, ``2-5`` or ``2,4``."""
    counts: list[int] = []
    for part in text.split(","):
        found = re.fullmatch(r"\s*([0-9]+)(?:-([0-9]+))?\s*", part)
        if found is None:
            raise ValueError(f"--players reads as in 3, 2-5 or 2,4, not {text!r}")
        low, high = int(found[1]), int(found[2] or found[1])
        if not 2 <= low <= high <= SEATS:
            raise ValueError(f"--players must be from 2 to {SEATS}, not {part.strip()}")
        counts += range(low, high + 1)
    return counts


for command in (laboratory.run, laboratory.report, laboratory.reproduce):
    app.command()(command)

AgentTexts = Annotated[list[str], typer.Argument(metavar="AGENT...", help="Agents, or teams such as piers+iggi+vdb.")]


@app.callback(invoke_without_command=True)
def version(show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """The laboratory for Hanabi."""
    if show_version:
        from importlib.metadata import version as version_of

        print(f"tamaya {version_of('tamaya')}")
        raise typer.Exit


@app.command()
def match(
    agents: AgentTexts,
    players: Annotated[str | None, typer.Option(help="Numbers of players: 3, 2-5 or 2,4. [default: 2-5]")] = None,
    games: Annotated[int, typer.Option(help="Games for each agent and number of players.")] = 10_000,
    seed: Annotated[int, typer.Option(help="The seed of the decks and of the agents.")] = 1,
    threads: Annotated[int | None, typer.Option(help="Threads. [default: all cores]")] = None,
    save: Annotated[
        Path | None, typer.Option(help="A file for the games, one a line, as hanab.live writes them.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    hand_size: Annotated[
        int | None, typer.Option(min=2, max=6, help="Cards in a hand. [default: 5, or 4 with 4 and 5 players]")
    ] = None,
    colours: Annotated[int, typer.Option(help="Colours, 1 to 6.")] = 5,
    ranks: Annotated[int, typer.Option(help="Ranks, 1 to 5.")] = 5,
    hint_tokens: Annotated[int, typer.Option(help="Hint tokens.")] = 8,
    lives: Annotated[int, typer.Option(help="Lives.")] = 3,
    multicolour: Annotated[str, typer.Option(help=f"An extra suit: {', '.join(get_args(Multicolour))}.")] = "none",
    discard_at_limit: Annotated[
        bool, typer.Option("--discard-at-limit", help="Allow discards while all hint tokens are there.")
    ] = False,
    empty_hints: Annotated[bool, typer.Option("--empty-hints", help="Allow hints that touch no card.")] = False,
) -> None:
    """Play games: each agent with itself, or mixed teams, all on the same decks."""
    from tamaya import matches
    from tamaya.agents import make_team
    from tamaya.game import check_seed

    if threads is not None and threads < 1:
        raise ValueError("--threads must be at least 1")
    if players is None:
        sizes = {len(make_team(text)) for text in agents} - {1}
        counts = sorted(sizes) or [2, 3, 4, 5]
    else:
        counts = parse_players(players)
    options: dict[str, Any] = {
        "colours": colours,
        "ranks": ranks,
        "hint_tokens": hint_tokens,
        "lives": lives,
        "multicolour": multicolour,
        "discard_at_limit": discard_at_limit,
        "empty_hints": empty_hints,
    }
    if hand_size is not None:
        options["hand_size"] = hand_size
    settings = [Settings(players=count, **options) for count in counts]
    contest = matches.Match(matches.entries(agents, settings), games, check_seed(seed), threads)
    with contextlib.ExitStack() as stack:
        if save is not None:
            contest.save = stack.enter_context(save.open("wb"))
        try:
            with console.progress_bar("playing", games * len(contest.lines)) as progress:
                contest.run(progress)
        finally:
            console.print_results(contest.done, seed, json)


@app.command()
def agents(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules that rule lists are made of.")] = False,
) -> None:
    """List the agents, or the rules they are made of, with the papers they come from."""
    from tamaya.agents import POLICIES
    from tamaya.recipes import RECIPES, SEARCHES
    from tamaya.rules.catalogue import RULES

    if rules:
        rows = [
            {"name": signature(name, rule.defaults), "summary": (rule.kernel.__doc__ or "").splitlines()[0]}
            for name, rule in RULES.items()
        ]
        rows.append(
            {
                "name": "IfRule(condition, rule, rule)",
                "summary": "The first rule if lives, information or unseen compare as said, else the second.",
            }
        )
    else:
        rows = [
            {"name": signature(name, recipe.defaults), "source": recipe.source, "summary": recipe.summary}
            for name, recipe in RECIPES.items()
        ]
        rows += [
            {"name": search_signature(name, search), "source": search.source, "summary": search.summary}
            for name, search in SEARCHES.items()
        ]
        rows += [
            {
                "name": signature(name, known.open, known.presets),
                "source": known.source,
                "summary": known.summary or as_phrase(known.policy),
            }
            for name, known in POLICIES.items()
        ]
        rows.append(
            {"name": "rules(...)", "source": "", "summary": "a rule list of your own; see tamaya agents --rules"}
        )
        rows.append({"name": "module:name", "source": "", "summary": "your own @policy, or class with act(view)"})
    if json:
        console.print_json({"rules" if rules else "agents": rows})
        return
    console.out.print(listing(rows))
    if not rules:
        console.out.print("\nRule-based agents take counting=2017, the card count of the code behind the 2017 tables.")
        console.out.print(
            "Searches take any compiled agent as rollout and, but for search, rules=all, goodman or a rule list and"
            " final=visits or value; ms, if it is not 0, replaces the iterations."
        )


def as_phrase(policy: "Policy") -> str:
    """What a policy says of itself first, as a phrase."""
    words = (policy.__doc__ or "").partition("\n")[0].rstrip(".")
    return words[:1].lower() + words[1:]


def signature(name: str, defaults: dict[str, float], presets: Iterable[str] = ()) -> str:
    """A name with its presets, and its settings with their defaults."""
    inside = ", ".join(
        [*(f"[{preset}]" for preset in presets), *(f"{key}={value:g}" for key, value in defaults.items())]
    )
    return f"{name}({inside})" if inside else name


def search_signature(name: str, search: "Search") -> str:
    """A search with its policies and settings."""
    policies = ("model, ..., " if search.policies == "models" else "") + "rollout=legal-random"
    policies = "policy" if search.fixed.get("deviates") else policies
    return f"{name}({policies}, {signature('', search.defaults).strip('()')})"


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="A recorded game, or a file of one game a line.")],
    game: Annotated[int, typer.Option(help="Which game of the file, from 1.")] = 1,
    turn: Annotated[int | None, typer.Option(help="Show the table after so many moves instead.")] = None,
) -> None:
    """Tell a recorded game move by move."""
    from tamaya.story import tell_story

    played, names, _ = game_at(file, game, turn)
    for line in tell_story(played, names) if turn is None else [str(played)]:
        console.out.print(line, markup=False, soft_wrap=True)


def game_at(file: Path, game: int, turn: int | None) -> tuple["Game", list[str], str]:
    """A recorded game after so many moves, the names of its players, and the move made next, if any."""
    import itertools

    from tamaya.replay import GameFileError, from_record, records

    record = next(itertools.islice(records(file), max(game - 1, 0), None), None)
    if record is None or game < 1:
        count = sum(1 for _ in records(file))
        raise GameFileError(f"{file} holds {count} games; there is no game {game}")
    played = from_record(record)
    names = record.tamaya.agents if record.tamaya else []
    undone = ""
    if turn is not None:
        if not 0 <= turn <= len(played.moves):
            raise GameFileError(f"the game has {len(played.moves)} moves; --turn must be from 0 to that")
        while len(played.moves) > turn:
            undone = str(played.undo())
    return played, names or record.players, undone


@app.command()
def think(
    file: Annotated[Path, typer.Argument(help="A recorded game, or a file of one game a line.")],
    turn: Annotated[int, typer.Option(help="Think after so many moves.")],
    agent: Annotated[str, typer.Option(help="Who thinks, such as ris(rules=goodman, ms=100).")],
    game: Annotated[int, typer.Option(help="Which game of the file, from 1.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show what an agent thinks at a turn of a recorded game."""
    from tamaya.agents import make_agent
    from tamaya.tables import thought_table
    from tamaya.thoughts import thoughts_of

    played, _, made = game_at(file, game, turn)
    if played.is_over:
        raise ValueError(f"the game is over after {turn} moves; there is nothing to think about")
    thoughts = thoughts_of(make_agent(agent), played.view())
    if json:
        console.print_json({"thoughts": thoughts, "made": made})
        return
    console.out.print(f"{played}\n", markup=False, soft_wrap=True)
    if thoughts.candidates:
        console.out.print(thought_table(thoughts, made))
        deepest = "" if thoughts.policy_move else f"deepest node {thoughts.depth}, "
        console.out.print(
            f"\n{thoughts.iterations:,} iterations, {deepest}{thoughts.milliseconds:,.1f} ms; "
            "values in points, ± is the standard error"
        )
    told = f"; in the game: {made}" if made else ""
    console.out.print(f"{thoughts.agent}: {thoughts.move}{told}", markup=False)


@app.command()
def check(
    agent: Annotated[str, typer.Argument(help="An agent, such as mymodule:mypolicy.")],
    games: Annotated[int, typer.Option(help="Games for each setting that is tried.")] = 200,
    timeout: Annotated[float, typer.Option(help="Seconds after which a silent agent is given up.")] = 120.0,
) -> None:
    """Check that an agent plays by the rules, sees no hidden card, and depends on nothing but view, memory and seed."""
    from tamaya.check import check_agent

    if not console.err.is_terminal:
        console.err.print(f"checking {agent} ...", markup=False)
    with console.err.status(f"checking {agent}, which may take minutes"):
        findings = check_agent(agent, games, timeout)
    for finding in findings:
        console.out.print(f"{'ok  ' if finding.is_fine else 'FAIL'}  {finding.text}", markup=False, soft_wrap=True)
    if not all(finding.is_fine for finding in findings):
        raise typer.Exit(1)


def complaint(error: Exception) -> str:
    """What an error says, of a file without its number."""
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)


def main() -> None:
    """Runs the command line; errors that a user can mend are told in a line."""
    from tamaya.policies import PolicyError

    try:
        code = app(standalone_mode=False)
    except (ValueError, PolicyError, OSError) as error:
        console.err.print(f"tamaya: {complaint(error)}", style="red", markup=False, soft_wrap=True)
        code = 1
    except typer.Exit as error:
        code = error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        console.err.print(f"tamaya: {error.format_message()}", style="red", markup=False, soft_wrap=True)
        code = 2
    if code == 130:
        console.err.print("tamaya: stopped", style="red")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code or 0)  # a policy that never returns would keep its thread, and so the process, alive


if __name__ == "__main__":
    main()
