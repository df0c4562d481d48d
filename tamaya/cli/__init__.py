"""The command line: one file per command, named like it, with its examples.

``app`` puts the commands together and ends them, ``learn`` those that learn; ``help`` writes their help. ``options``,
``game_options`` (the rules of the game) and ``recorded_games`` have what several commands share. What is printed goes
through ``printing``.
"""


def main() -> None:
    """Runs a command."""
    try:
        from tamaya.cli.app import run_command
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    run_command()
