"""Files that may be compressed."""

import contextlib
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from tamaya.game.hanab_live import GameFileError

MAGIC = b"\x1f\x8b"


@contextlib.contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """A file for reading; what gzip has compressed is read as what it was. What goes wrong is a GameFileError."""
    if "\0" in str(path):
        raise GameFileError("the name of a file cannot have a null character in it")
    try:
        with Path(path).open("rb") as file:
            if file.peek(2)[:2] == MAGIC:
                with gzip.GzipFile(fileobj=file) as inside:
                    yield io.BufferedReader(inside)  # type: ignore[arg-type]
            else:
                yield file
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise GameFileError(f"{path} cannot be read: what gzip has compressed is damaged or cut short") from error
    except OSError as error:
        raise GameFileError(f"{path} cannot be read: {error.strerror or error}") from error
