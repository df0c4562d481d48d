"""The command line."""


def main() -> None:
    """Runs a command."""
    try:
        from tamaya.cli.app import run_command
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    run_command()
