"""``python -m tamaya``, the command line."""

from tamaya.cli import main

main()
