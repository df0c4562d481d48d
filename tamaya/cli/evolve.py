"""``tamaya evolve``: rule lists, by a genetic algorithm or MAP-Elites."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from tamaya.cli.options import Json, Threads, check_threads, parse_players
from tamaya.cli.printing import console
from tamaya.cli.printing.match_results import print_results
from tamaya.cli.printing.progress import progress_bar
from tamaya.engine.text import count_of, duration

EXAMPLES = (
    "evolve --to evolved --generations 100",
    'evolve --to mixed --fitness mixed --partners "iggi, vdb"',
    "evolve --to elites --map-elites 10 --generations 100",
)

SILENCE = 60.0
"""Seconds after which a log, which shows no progress bar, gets a line."""

RIVALS = ("iggi", "piers", "vdb")
"""Rule lists made by hand, with which the best one is compared."""


def evolve(
    to: Annotated[
        Path, typer.Option(metavar="DIRECTORY", help="Where to keep everything; given again, the command goes on.")
    ],
    players: Annotated[
        str, typer.Option("--players", "-p", metavar="N", help="Numbers of players, such as 2 or 2-5.")
    ] = "2",
    fitness: Annotated[
        str, typer.Option(metavar="KIND", help="mirror: with itself; mixed: alone among each of the partners.")
    ] = "mirror",
    partners: Annotated[
        str, typer.Option(metavar="AGENTS", help='The partners of mixed, such as "iggi, piers". [default: seven]')
    ] = "",
    generations: Annotated[int, typer.Option(metavar="N", help="How many generations.")] = 500,
    population: Annotated[int, typer.Option(metavar="N", help="Rule lists per generation.")] = 200,
    games: Annotated[
        int, typer.Option("--games", "-g", metavar="N", help="Games per list, number of players and partner.")
    ] = 100,
    fresh: Annotated[int, typer.Option(metavar="N", help="Games on fresh decks that measure what is found.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="N", help="The seed.")] = 1,
    map_elites: Annotated[
        int, typer.Option("--map-elites", metavar="N", help="Fill a grid of N by N behaviours instead; 0 for none.")
    ] = 0,
    elite: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many of the best go on as they are. [default: 20, or half of all]"),
    ] = None,
    tournament: Annotated[
        int | None, typer.Option(metavar="N", help="How many are drawn for each parent. [default: 5]")
    ] = None,
    crossover: Annotated[float, typer.Option(metavar="X", help="The chance that a child has two parents.")] = 0.9,
    mutation: Annotated[float, typer.Option(metavar="X", help="The chance of each place to change.")] = 0.1,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Evolve rule lists by a genetic algorithm, or a grid of different ones by MAP-Elites."""
    from tamaya.engine.jit import ending_like_ctrl_c
    from tamaya.learn.evolution.evolution_state import BASELINES, EvolutionPlan, check_fitness, check_plan
    from tamaya.learn.evolution.genetic_operators import Breeding
    from tamaya.policies.rules.rule_syntax import parse_rules

    check_threads(threads)
    named = tuple(map(str, parse_rules(partners))) if partners else ()
    check_fitness(fitness, named)
    others = (named or BASELINES) if fitness == "mixed" else ()
    chosen = {name: n for name, n in (("elite", elite), ("tournament", tournament)) if n is not None}
    if map_elites and chosen:
        raise ValueError(f"--{min(chosen)} does nothing with --map-elites, where every elite may become a parent")
    usual = {"elite": max(1, min(Breeding().elite, population // 2))}
    breeding = Breeding(**(usual | chosen), crossover=crossover, mutation=mutation)
    plan = EvolutionPlan(
        tuple(parse_players(players)), others, generations, population, games, seed, map_elites, breeding
    )
    check_plan(plan)
    check_fresh(fresh)
    check_partners(others)
    try:
        with ending_like_ctrl_c():
            state = evolve_with_progress(plan, to, threads)
    except KeyboardInterrupt:
        console.note(f"stopped; the same command goes on in {to}")
        raise
    print_found(plan, to, state, fresh, threads, json)


def check_fresh(fresh: int) -> None:
    """Refuses too few games to measure by."""
    from tamaya.arena.matches import MOST_GAMES

    if not 10 <= fresh <= MOST_GAMES:
        raise ValueError(f"--fresh must be from 10 to {MOST_GAMES:,}, not {fresh:,}")


def check_partners(partners: tuple[str, ...]) -> None:
    """Refuses partners that do not exist, or that are too slow to evolve with."""
    from tamaya.agents.registry import make_agent

    for name in partners:
        if not make_agent(name).is_compiled:
            raise ValueError(f"{name} is not compiled; evolution plays far too many games for it")


def evolve_with_progress(plan: Any, to: Path, threads: int | None) -> Any:
    """Evolves, and shows how far it is and how fit the best is."""
    from tamaya.learn.evolution.evolution_loop import evolve as evolve_in
    from tamaya.learn.evolution.evolution_state import read_evolution

    found = read_evolution(to, plan)
    done = plan.games_of_all * (found.generation if found else 0)
    total, start, played = plan.games_of_all * plan.generations - done, time.monotonic(), 0
    said = start

    def seconds_left() -> float:
        return (time.monotonic() - start) * float(total - played) / max(1, played)

    with progress_bar(to.name, total, seconds_left) as progress:

        def tell(state: Any, count: int) -> None:
            nonlocal played, said
            played += count
            best = f", best {state.history[-1].best:.2f}" if state.history else ""
            now = f"generation {state.generation + 1:,} of {plan.generations:,}{best}"
            progress(count, now)
            if not console.err.is_terminal and time.monotonic() > said + SILENCE:
                said = time.monotonic()
                console.note(f"{now}, {duration(seconds_left())} left")

        return evolve_in(plan, to, threads, tell)


def print_found(plan: Any, to: Path, state: Any, fresh: int, threads: int | None, json: bool) -> None:
    """Measures what was found on fresh decks, writes it and prints it."""
    from tamaya.arena.matches import run_match
    from tamaya.learn.evolution.evolution_results import compare_with, niche_lines, results_of, write_results
    from tamaya.learn.evolution.evolution_state import FRESH

    count = count_of(len(state.niches) or 1, "agent")
    console.note(f"measuring {count} on fresh decks ...")
    found = results_of(plan, state, fresh, threads)
    files = write_results(to, plan, state, found)
    if json:
        console.print_json({"seed": plan.seed, "found": found, "files": [str(path) for path in files]})
        return
    best = found[0]
    if plan.niches or plan.partners:
        console.say(f"{best.agent}\n")
    if plan.niches:
        filled = f"{len(found):,} of {plan.niches**2:,} niches"
        console.say(f"{filled}; mean scores in {best.games:,} games on fresh decks each")
        for line in niche_lines(plan, found):
            console.say(line)
    elif plan.partners:
        console.say(f"{best.mean:.3f} ± {best.half:.3f} among its partners, in {best.games:,} games on fresh decks")
        for name, mean, difference in compare_with(plan, best, RIVALS, fresh):
            console.say(f"{difference.text} more than {name} in its place, which has {mean:.3f}")
    else:
        teams: list[Any] = [best.agent, *RIVALS]
        results = run_match(teams, plan.players, fresh, plan.seed + FRESH, threads)
        print_results(results, plan.seed, False)
    console.say(f"\nwritten: {', '.join(map(str, files))}")
