"""``tamaya learn``: the commands that learn from searches or in self-play."""

import typer

from tamaya.cli import collect, goodman, ppo, train
from tamaya.cli.help import add_command

app = typer.Typer(
    help="Learn from searches, or in self-play: collect rows, train a network, run all generations, or practise.",
    rich_markup_mode=None,
)
for module in (collect, train, goodman, ppo):
    add_command(app, module)
