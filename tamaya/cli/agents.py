"""The commands about agents: list them, check one."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from tamaya.cli import console
from tamaya.core.text import plain

if TYPE_CHECKING:
    from tamaya.agents.recipes import Search
    from tamaya.policies.contract import Policy


def agents(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules that rule lists are made of.")] = False,
) -> None:
    """List the agents, or the rules they are made of, with the papers they come from."""
    from tamaya.agents.recipes import POLICIES, RECIPES, SEARCHES
    from tamaya.cli.grids import listing
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
                "name": signature(name, known.open(policy.defaults), known.presets),
                "source": known.source,
                "summary": known.summary or as_phrase(policy),
            }
            for name, known in POLICIES.items()
            for policy in [known.load()]
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
            " final=visits or value. leaf takes an agent that evaluates positions. ms, if not 0, replaces iterations."
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
    policies = "policy" if search.fixed.get("deviates") else "generation" if search.policies == "leaf" else policies
    return f"{name}({policies}, {signature('', search.defaults).strip('()')})"


def check(
    agent: Annotated[str, typer.Argument(help="An agent, such as mymodule:mypolicy.")],
    games: Annotated[int, typer.Option(help="Games for each setting that is tried.")] = 200,
    timeout: Annotated[
        float, typer.Option(help="Give up on an agent that has not answered after this many seconds.")
    ] = 120.0,
    saved: Annotated[
        Path | None, typer.Option(help="Check only that the agent makes the moves of games that match --save wrote.")
    ] = None,
) -> None:
    """Check that an agent plays by the rules, sees no hidden card, and depends on nothing but view, memory and seed."""
    from tamaya.arena.check import inspect_agent

    if not console.err.is_terminal:
        console.err.print(f"checking {agent} ...", markup=False)
    is_fine = True
    with console.err.status(Text(plain(f"checking {agent}, which may take minutes"))):
        for finding in inspect_agent(agent, games, timeout, saved):
            console.out.print(f"{'ok  ' if finding.is_fine else 'FAIL'}  {finding.text}", markup=False, soft_wrap=True)
            is_fine = is_fine and finding.is_fine
    if not is_fine:
        raise typer.Exit(1)
