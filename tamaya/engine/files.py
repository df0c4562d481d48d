"""Files that are there whole or not at all."""

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

LOCK = "lock"
"""The file that keeps other processes out of a directory."""

MOST_NAMED = 4
"""How many files are named that are in the way."""


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


def check_free(directory: Path, mark: str) -> None:
    """Refuses a directory that holds anything that may be somebody's, unless the file that marks our own is there."""
    if directory.exists() and not directory.is_dir():
        raise ValueError(f"{directory} is a file; choose a directory")
    taken = [] if (directory / mark).exists() else sorted(one.name for one in visible(directory))
    if taken:
        some = ", ".join(taken[:MOST_NAMED]) + (", ..." if len(taken) > MOST_NAMED else "")
        raise ValueError(f"{directory} holds {some}, but no {mark}; choose an empty directory, or a new one")


def visible(directory: Path) -> list[Path]:
    """What a directory holds, if it is there, except hidden files, drafts and the lock."""
    found = directory.iterdir() if directory.is_dir() else ()
    return [one for one in found if not (one.name.startswith(".") or one.name.endswith(".new") or one.name == LOCK)]


@contextlib.contextmanager
def locked(directory: Path, kind: type[ValueError] = ValueError) -> Iterator[None]:
    """Makes a directory, if it is not there, and keeps other processes out of it; says what is wrong as an error."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        place = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise kind(f"{directory / LOCK} is a link; a lock is a plain file, so remove it") from error
        raise kind(f"{directory} cannot be written: {error.strerror or error}") from error
    with os.fdopen(place, "r+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise kind(f"another process is running in {directory}") from error
        yield


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
