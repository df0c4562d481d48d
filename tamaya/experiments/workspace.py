"""A workspace: a directory in which work was begun with some options, and goes on with the same ones."""

import contextlib
import errno
import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from tamaya.engine.files import content_of, replacing
from tamaya.engine.text import in_words

T = TypeVar("T")

LOCK = "lock"
"""The file that keeps other processes out of a directory."""

MOST_NAMED = 4
"""How many files are named that are in the way."""

LARGEST_MARK = 1 << 30

ANEW = "delete it to begin anew, or choose another directory"
SAME = "give the same options, or choose another directory"


class WorkspaceError(ValueError):
    """A directory in which work cannot begin or go on."""


class OtherOptions(WorkspaceError):
    """Work was begun with options other than those it is to go on with."""

    def __init__(self, directory: Path, begun: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
        self.directory = directory
        self.names = [name for name in {**begun, **wanted} if begun.get(name) != wanted.get(name)]
        theirs, ours = (", ".join(option_text(name, options) for name in self.names) for options in (begun, wanted))
        super().__init__(f"{directory} was begun with {theirs}, not with {ours}; {SAME}")


class Workspace:
    """A directory with a file that marks it: the options with which its work was begun, and often its state too.

    The mark is replaced whole or not at all. One process at a time works in the directory.
    """

    def __init__(self, directory: Path, mark: str, is_left_behind: Callable[[Path], bool] = lambda path: False) -> None:
        self.directory = directory
        self.mark = directory / mark
        self.is_left_behind = is_left_behind
        """Whether a file may stem from a process that was killed before it wrote the mark."""

    def check_free(self) -> None:
        """Refuses a directory that holds anything that may be somebody's, unless the mark is there."""
        if self.directory.exists() and not self.directory.is_dir():
            raise WorkspaceError(f"{self.directory} is a file; choose a directory")
        if os.path.lexists(self.mark):
            return
        taken = sorted(one.name for one in visible(self.directory) if not self.is_left_behind(one))
        if taken:
            some = ", ".join(taken[:MOST_NAMED]) + (", ..." if len(taken) > MOST_NAMED else "")
            words = f"{self.directory} holds {some}, but no {self.mark.name}"
            raise WorkspaceError(f"{words}; choose an empty directory, or a new one")

    def content(self) -> bytes | None:
        """The content of the mark, if it is there."""
        if not os.path.lexists(self.mark):
            return None
        if self.mark.is_symlink() or not self.mark.is_file():
            raise WorkspaceError(f"{self.mark} is a link or not a plain file")
        try:
            return content_of(self.mark, LARGEST_MARK)
        except OSError as error:
            raise WorkspaceError(f"{self.mark} cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise self.damaged(str(error)) from error

    def read(self, kind: type[T]) -> T | None:
        """What the mark holds as JSON, if it is there."""
        content = self.content()
        if content is None:
            return None
        try:
            return msgspec.json.decode(content, type=kind)
        except (ValueError, msgspec.MsgspecError) as error:
            raise self.damaged(in_words(error)) from error
        except RecursionError as error:
            raise self.damaged("it is nested too deeply") from error

    def damaged(self, reason: str) -> WorkspaceError:
        """The error of a mark that holds something else than it should."""
        return WorkspaceError(f"{self.mark} is damaged: {reason}; {ANEW}")

    def check_same(self, begun: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
        """Refuses to go on with other options."""
        if begun != wanted:
            raise OtherOptions(self.directory, begun, wanted)

    def write(self, content: bytes | memoryview) -> None:
        """Replaces the mark, whole or not at all."""
        with replacing(self.mark) as file:
            file.write(content)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Makes the directory, if it is not there, and keeps other processes out of it."""
        path = self.directory / LOCK
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            place = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise WorkspaceError(f"{path} is a link; a lock is a plain file, so remove it") from error
            raise WorkspaceError(f"{self.directory} cannot be written: {error.strerror or error}") from error
        with os.fdopen(place, "r+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise WorkspaceError(f"another process is running in {self.directory}") from error
            yield


def visible(directory: Path) -> list[Path]:
    """What a directory holds, if it is there, except hidden files, drafts and the lock."""
    found = directory.iterdir() if directory.is_dir() else ()
    return [one for one in found if not (one.name.startswith(".") or one.name.endswith(".new") or one.name == LOCK)]


def named_options(settings: msgspec.Struct) -> dict[str, Any]:
    """The fields of settings by name; those of settings within them have a dot in their names."""
    return flattened(msgspec.structs.asdict(settings))


def flattened(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name, without settings or mappings within them."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        inner = msgspec.structs.asdict(value) if isinstance(value, msgspec.Struct) else value
        if isinstance(inner, Mapping):
            flat |= {f"{name}.{key}": one for key, one in flattened(inner).items()}
        else:
            flat[name] = inner
    return flat


def option_text(name: str, options: Mapping[str, Any]) -> str:
    """An option and its value as an error tells them."""
    if name not in options:
        return f"no {name}"
    value = options[name]
    text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return f"{name}={text or 'none'}"
