"""``tamaya match``: games of agents with themselves, or of mixed teams."""

import contextlib
from pathlib import Path
from typing import Annotated, Any

import typer

from tamaya.cli.game_options import takes_rules
from tamaya.cli.options import Json, Threads, agent_names, check_threads, parse_players
from tamaya.cli.printing import console
from tamaya.cli.printing.games import print_link
from tamaya.cli.printing.match_results import print_results
from tamaya.cli.printing.progress import progress_bar
from tamaya.engine.settings import Settings

EXAMPLES = (
    "match piers",
    'match piers "risky(0.6)" --players 2-3 --games 50000',
    "match piers+iggi+vdb --save games.jsonl",
    'match "ris(rules=goodman, rollout=vdb, ms=40)" -p 4 -g 100',
)

AgentTexts = Annotated[
    list[str],
    typer.Argument(metavar="AGENT...", help="Agents, or teams such as piers+iggi+vdb.", autocompletion=agent_names),
]


@takes_rules
def match(
    agents: AgentTexts,
    players: Annotated[
        str | None,
        typer.Option(
            "--players", "-p", metavar="N", help="Numbers of players: 3, 2-5 or 2,4. [default: 2-5, where agents can]"
        ),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-g", metavar="N", help="Games per agent and number of players.")
    ] = 10_000,
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="N", help="The seed of decks and agents.")] = 1,
    threads: Threads = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the games to a new file, one per line, in hanab.live's format."),
    ] = None,
    json: Json = False,
    *,
    rules: dict[str, Any],
) -> None:
    """Play games: each agent with itself, or mixed teams, all on the same decks."""
    from tamaya.agents.names import check_team

    sizes = {check_team(text) for text in agents}  # a misspelt name is reported before anything heavy is loaded

    from tamaya.arena.matches import EVERY_TABLE, Match, match_entries
    from tamaya.arena.seating import prepare_records
    from tamaya.game.game import check_seed

    check_threads(threads)
    if players is None:
        counts = sorted(sizes - {1}) or list(EVERY_TABLE)
    else:
        counts = parse_players(players)
    settings = [Settings(players=count, **rules) for count in counts]
    with console.prints_aside():
        contest = Match(match_entries(agents, settings, players is not None), games, check_seed(seed), threads)
    if save is not None and save.exists():
        raise ValueError(f"{save} already exists; choose another name, or remove it")
    with contextlib.ExitStack() as stack:
        if save is not None:
            contest.save = stack.enter_context(save.open("wb"))
            prepare_records(settings[0])  # before the clock starts
        try:
            with progress_bar("playing", games * len(contest.lines), contest.seconds_left) as progress:
                contest.run(progress)
        finally:
            print_results(contest.done, seed, json, rules)
    if save is not None and not json and contest.done:
        from tamaya.game.replay import load

        print_link(load(save), f"the first game of {save} on hanab.live")
