"""``tamaya agents``: the agents, or the rules they are made of."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from tamaya.cli.options import Json
from tamaya.cli.printing import console
from tamaya.engine.text import plain

if TYPE_CHECKING:
    from tamaya.agents.searches import Search

EXAMPLES = ("agents", "agents --rules")


NOTES = """\
Rule-based agents take counting=2017, the card count of the code behind the 2017 tables.
Searches take any compiled agent as rollout. All but search take rules=all, goodman or a rule list, and final=visits or
value. leaf takes an agent that evaluates positions. ms, if it is not 0, replaces iterations."""


NAME_WIDTH = 20
"""Longer names stand on lines of their own."""


def agents(
    rules: Annotated[bool, typer.Option("--rules", "-r", help="List the rules that rule lists are made of.")] = False,
    json: Json = False,
) -> None:
    """List the agents, or the rules they are made of, with their papers."""
    groups = {"Rules": list(rule_rows())} if rules else dict(agent_groups())
    if json:
        console.print_json({"rules" if rules else "agents": [row for rows in groups.values() for row in rows]})
        return
    for title, rows in groups.items():
        console.out.print(title, style="bold")
        for row in rows:
            print_entry(row)
        console.out.print()
    if not rules:
        console.out.print(NOTES.replace("\n", " "), markup=False)


def print_entry(row: dict[str, str]) -> None:
    """Prints an agent or a rule: its name, what it does and where it comes from, and its settings if it has any."""
    name, _, settings = row["name"].removesuffix(")").partition("(")
    source = f" ({row['source']})" if row.get("source") else ""
    grid = Grid(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(min_width=NAME_WIDTH)
    words = Text(plain(row["summary"] + source))
    if len(name) > NAME_WIDTH:
        console.out.print(f"  {name}", markup=False)
        name = ""
    grid.add_row(name, words)
    if settings:
        grid.add_row("", Text(settings, style="dim"))
    console.out.print(Padding(grid, (0, 0, 0, 2)))


def rule_rows() -> Iterator[dict[str, str]]:
    """Yields the rules and what they do."""
    from tamaya.policies.rules.catalogue import RULES

    for name, rule in RULES.items():
        yield {"name": signature(name, rule.defaults), "summary": (rule.kernel.__doc__ or "").splitlines()[0]}
    summary = "The first rule if the condition on lives, information or unseen holds, else the second."
    yield {"name": "IfRule(condition, rule, rule)", "summary": summary}


def agent_groups() -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Yields the agents by kind."""
    from tamaya.agents.names import POLICIES
    from tamaya.agents.rule_based_agents import RECIPES
    from tamaya.agents.searches import SEARCHES

    yield (
        "Rule-based agents",
        [
            {"name": signature(name, recipe.defaults), "source": recipe.source, "summary": recipe.summary}
            for name, recipe in RECIPES.items()
        ],
    )
    yield (
        "Searches",
        [
            {"name": search_signature(name, search), "source": search.source, "summary": search.summary}
            for name, search in SEARCHES.items()
        ],
    )
    yield (
        "Conventions and yardsticks",
        [
            {
                "name": signature(name, known.open(policy.defaults), known.presets),
                "source": known.source,
                "summary": known.summary or as_phrase(policy),
            }
            for name, known in POLICIES.items()
            for policy in [known.load()]
        ],
    )
    installed = list(installed_rows())
    if installed:
        yield "Installed", installed
    yield (
        "Your own",
        [
            {"name": "rules(rule, ...)", "source": "", "summary": "a rule list of your own; see tamaya agents --rules"},
            {
                "name": "network(file.npz, temperature=0)",
                "source": "",
                "summary": "a trained network; with a temperature, it makes random moves by the softmax of its values",
            },
            {"name": "module:name", "source": "", "summary": "your own @policy, or class with act(view)"},
            {"name": "hle(module:Class)", "source": "", "summary": "an agent of the Hanabi Learning Environment"},
            {
                "name": "openspiel(module:function)",
                "source": "",
                "summary": "a bot of OpenSpiel, made by a function of the game and the player, or by its own name",
            },
            {
                "name": "pipe(command, deadline=10, start=60, fail=stop, log=)",
                "source": "",
                "summary": "a program in any language, over its standard input and output",
            },
        ],
    )


def installed_rows() -> Iterator[dict[str, str]]:
    """Yields the agents that installed packages declare; one that cannot be used says why."""
    from tamaya.agents.names import is_ours
    from tamaya.agents.plugins import declared, load_plugin
    from tamaya.agents.registry import make_agent
    from tamaya.agents.user_agents import check_object
    from tamaya.policies.contract import Policy
    from tamaya.policies.language import AgentError, parse

    for name, found in declared().items():
        row = {"name": name, "source": ", ".join(one.package for one in found)}
        try:
            if is_ours(name):
                raise AgentError(f"{name} is the name of an agent of tamaya, which is meant by it")
            if parse(name)[0].name != name:
                raise AgentError(f"{name} cannot be written in a command")
            agent = load_plugin(name)
            if isinstance(agent, str):
                make_agent(name)
            else:
                check_object(name, agent)
            settings = signature(name, agent.defaults) if isinstance(agent, Policy) else name
            yield row | {"name": settings, "summary": agent if isinstance(agent, str) else as_phrase(agent)}
        except AgentError as error:
            yield row | {"summary": f"cannot be used: {error}"}


def as_phrase(policy: Any) -> str:
    """Returns the first line that a policy says about itself, as a phrase."""
    words = (policy.__doc__ or "").partition("\n")[0].rstrip(".")
    return words[:1].lower() + words[1:]


def signature(name: str, defaults: dict[str, float], presets: Iterable[str] = ()) -> str:
    """Returns a name with its presets, and its settings with their defaults."""
    settings = (f"{key}={setting_text(value)}" for key, value in defaults.items())
    inside = ", ".join([*(f"[{preset}]" for preset in presets), *settings])
    return f"{name}({inside})" if inside else name


def setting_text(value: float) -> str:
    """Returns a setting as one writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}"


def search_signature(name: str, search: "Search") -> str:
    """Returns a search with its policies and settings."""
    return f"{name}({search.brackets}, {signature('', search.defaults).strip('()')})"
