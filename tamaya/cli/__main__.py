"""``python -m tamaya.cli``."""

from tamaya.cli import main

main()
