"""The command line: one file per command, named like it, with its examples.

In reading order:

- ``app``, ``help``: the commands together, how they end, and their help
- ``options``, ``game_options``, ``recorded_games``: what several commands share
- ``play``, ``match``, ``run``, ``report``, ``reproduce``: games
- ``agents``, ``check``, ``bot``, ``live``: agents
- ``evolve``, ``learn``, ``collect``, ``train``, ``goodman``, ``ppo``: learning
- ``show``, ``analyse``, ``think``, ``agree``, ``solve``: recorded games
- ``printing/``: what is printed by more than one command, or would be long
"""


def main() -> None:
    """Runs a command."""
    try:
        from tamaya.cli.app import run_command
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    run_command()
