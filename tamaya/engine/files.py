"""Files that are there whole or not at all."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that replaces another one, or a link, once it is complete; what a kill leaves behind is used again."""
    draft = path.with_name(f"{path.name}.new")
    if draft.is_symlink():
        draft.unlink()
    with os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644), "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_taken = not os.path.samestat(os.fstat(file.fileno()), draft.stat())
        except OSError:
            is_taken = True
        if is_taken:
            raise ValueError(f"another process is writing {path}")
        try:
            file.truncate()
            yield file
            file.flush()
            draft.replace(path)
        except BaseException as error:
            draft.unlink(missing_ok=True)
            if isinstance(error, OSError) and error.filename is None:
                error.filename = str(path)  # such as that of a full disk, which names no file
            raise


def write_files(directory: Path, contents: dict[str, str]) -> list[Path]:
    """Writes files into a directory, each whole or not at all and in place of any link; returns the files written."""
    for name, text in contents.items():
        with replacing(directory / name) as file:
            file.write(text.encode())
    return [directory / name for name in contents]


def content_of(path: Path, most: int) -> bytes:
    """The content of a file; raises an error for one that is too large or, as a device or a pipe, may never end."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise ValueError("it is not a plain file")
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"it is too large, with more than {most:,} bytes")
    return content
