"""Workspaces: directories in which work goes on only with the options it was begun with."""

import fcntl
import os

import msgspec
import pytest

from tamaya.engine.settings import Settings
from tamaya.experiments.workspace import OtherOptions, Workspace, WorkspaceError, named_options


class Options(msgspec.Struct, frozen=True):
    games: int = 1
    settings: Settings = Settings(players=2)


@pytest.fixture
def workspace(tmp_path):
    return Workspace(tmp_path / "work", "options.json")


def test_what_was_written_is_read_again(workspace):
    assert workspace.read(Options) is None
    with workspace.locked():
        workspace.write(msgspec.json.encode(Options(3)))
    assert workspace.read(Options) == Options(3)
    workspace.check_free()


def test_options_that_differ_are_named_with_both_values(workspace):
    one, other = (named_options(Options(5, Settings(players=count))) for count in (2, 3))
    workspace.check_same(one, one)
    with pytest.raises(OtherOptions, match=r"work was begun with settings\.players=2, not with settings\.players=3"):
        workspace.check_same(one, other)
    with pytest.raises(OtherOptions, match="was begun with pool=none, no lives, not with pool=iggi,vdb, lives=2;"):
        workspace.check_same({"pool": []}, {"pool": ["iggi", "vdb"], "lives": 2})
    assert OtherOptions(workspace.directory, {"a": 1, "b": 2}, {"a": 1, "b": 3}).names == ["b"]


def test_a_directory_of_somebody_else_is_refused_and_left_alone(workspace):
    workspace.directory.mkdir()
    for name in ("lock", ".hidden", "options.json.new"):
        (workspace.directory / name).touch()
    workspace.check_free()  # nothing that is somebody's
    (workspace.directory / "thesis.tex").touch()
    with pytest.raises(WorkspaceError, match=r"holds thesis\.tex, but no options\.json; choose an empty directory"):
        workspace.check_free()
    Workspace(workspace.directory, "options.json", lambda path: path.suffix == ".tex").check_free()


def test_one_process_at_a_time_works_in_a_directory(workspace):
    with workspace.locked(), pytest.raises(WorkspaceError, match="another process is running in"):
        workspace.locked().__enter__()
    with workspace.locked():
        pass


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{", "is damaged: it is cut short; delete it to begin anew"),
        (b'{"games": "many"}', "is damaged: games must be a whole number, not a text; delete it"),
        (b'{"settings": ' + b"[" * 9999, "is damaged"),
        (b"\xff", "is damaged"),
    ],
)
def test_a_damaged_mark_is_refused(workspace, content, words):
    workspace.directory.mkdir()
    workspace.mark.write_bytes(content)
    with pytest.raises(WorkspaceError, match=words):
        workspace.read(Options)


@pytest.mark.parametrize("kind", ["pipe", "link", "dangling", "folder"])
def test_a_mark_that_is_not_a_plain_file_is_not_read(workspace, tmp_path, kind):
    workspace.directory.mkdir()
    if kind == "pipe":
        os.mkfifo(workspace.mark)
    elif kind == "folder":
        workspace.mark.mkdir()
    else:
        workspace.mark.symlink_to("/dev/zero" if kind == "link" else tmp_path / "nothing")
    with pytest.raises(WorkspaceError, match="is a link or not a plain file"):
        workspace.content()


def test_a_lock_is_let_go_after_an_error(workspace):
    with pytest.raises(KeyError), workspace.locked():
        raise KeyError
    with (workspace.directory / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
