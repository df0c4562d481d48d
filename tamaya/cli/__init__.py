"""The command line."""


def main() -> None:
    """Runs a command."""
    from tamaya.cli.app import run_command

    run_command()
