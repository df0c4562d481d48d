"""Files that are there whole or not at all."""

import contextlib
import fcntl
import os
from collections.abc import Iterator, Sequence
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


def check_free(directory: Path, names: Sequence[str], mark: str) -> None:
    """Refuses a directory that holds files which would be overwritten, unless the file that marks our own is there."""
    taken = [name for name in names if (directory / name).exists()]
    if taken and not (directory / mark).exists():
        words = f"{directory} holds {' and '.join(taken)}, but no {mark}"
        raise ValueError(f"{words}; move {'it' if len(taken) == 1 else 'them'} away, or choose another directory")


def write_files(directory: Path, contents: dict[str, str]) -> list[Path]:
    """Writes files into a directory, each whole or not at all and in place of any link; returns the files written."""
    for name, text in contents.items():
        with replacing(directory / name) as file:
            file.write(text.encode())
    return [directory / name for name in contents]
