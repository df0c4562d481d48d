"""Tables as such: they need no server."""

import subprocess
import sys

IMPORTS = """
import importlib, pkgutil, sys
for name in ("starlette", "uvicorn", "websockets", "rich"):
    sys.modules[name] = None  # an import of it fails
import tamaya.play.tables
found = [one.name for one in pkgutil.iter_modules(tamaya.play.tables.__path__)]
for name in found:
    importlib.import_module(f"tamaya.play.tables.{name}")
rooms = {"tamaya.play.web", "tamaya.play.terminal", "tamaya.play.live"}
print(len(found), *(name for name in sys.modules if name.startswith(tuple(rooms))))
"""


def test_tables_import_nothing_of_a_server_a_terminal_or_a_site():
    child = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, text=True, check=True)
    count, *wrong = child.stdout.split()
    assert int(count) > 5
    assert not wrong
