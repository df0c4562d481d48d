"""The same games on a Dask cluster, on loopback, with a worker killed in the middle."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import compiled_only
from experiments import SMALL, all_games, finish, small

from tamaya.arena.seating import GameFailure
from tamaya.experiments import cluster
from tamaya.experiments.cluster import Cluster, ClusterError, check_versions, fingerprint
from tamaya.experiments.runs import Run
from tamaya.experiments.store import Store

pytestmark = [compiled_only, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def address():
    """A scheduler with two workers, each a process of its own."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", silence_logs=50
    ) as local:
        yield local.scheduler_address


def test_a_cluster_plays_the_games_of_threads(address, tmp_path):
    experiment = small(games=400)
    with Cluster(address) as workers, Run(tmp_path / "cluster", experiment) as run:
        assert workers.count == 2
        run.play(workers=workers)
        assert all_games(run.store) == finish(tmp_path / "threads", experiment)


def test_a_worker_killed_in_the_middle_costs_no_game(address, tmp_path):
    experiment = small(games=15_000)
    with Cluster(address) as workers, Run(tmp_path / "cluster", experiment) as run:
        victim = next(iter(workers.client.run(os.getpid).values()))
        played = []

        def progress(games):
            if not played:
                threading.Thread(target=os.kill, args=(victim, signal.SIGKILL)).start()
            played.append(games)

        run.play(progress, workers)
        assert sum(played) == 6 * 15_000
        assert all_games(run.store) == finish(tmp_path / "threads", experiment)
    with pytest.raises(ProcessLookupError):
        os.kill(victim, 0)


def test_a_failing_agent_is_named_as_on_one_machine(address, tmp_path, own_module):
    experiment = small(games=5, lineup=[{"kind": "self-play", "agents": ["own_agents:nonsense"], "players": [2]}])
    with Cluster(address) as workers, Run(tmp_path, experiment) as run:
        workers.client.run(sys.path.insert, 0, os.path.dirname(__file__))
        with pytest.raises(GameFailure, match="own_agents:nonsense answered 99"):
            run.play(workers=workers)


def test_workers_with_other_code_of_the_user_are_refused(address, tmp_path, monkeypatch):
    for folder, slot in (("here", 0), ("there", 1)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "elsewhere.py").write_text(
            f"from tamaya import policy\n\n\n@policy\ndef mine(view, memory, params, rng):\n    return {slot}\n"
        )
    monkeypatch.syspath_prepend(str(tmp_path / "here"))
    experiment = small(games=5, lineup=[{"kind": "self-play", "agents": ["elsewhere:mine"], "players": [2]}])
    with Cluster(address) as workers, Run(tmp_path / "run", experiment) as run:
        workers.client.run(lambda folder: sys.path.insert(0, folder), str(tmp_path / "there"))
        with pytest.raises(ClusterError, match="the code of elsewhere:mine on a worker is not the one here"):
            run.play(workers=workers)


def test_a_module_that_a_worker_lacks_is_said_to_be_missing_there(address, tmp_path, monkeypatch):
    (tmp_path / "only_here.py").write_text(
        "from tamaya import policy\n\n\n@policy\ndef mine(view, memory, params, rng):\n    return 0\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    experiment = small(games=5, lineup=[{"kind": "self-play", "agents": ["only_here:mine"], "players": [2]}])
    words = "there is no module 'only_here' on a worker; put the same files there"
    with (
        Cluster(address) as workers,
        Run(tmp_path / "run", experiment) as run,
        pytest.raises(ClusterError, match=words),
    ):
        run.play(workers=workers)


@pytest.fixture
def fragile(tmp_path):
    """A scheduler with a worker, each a process that can be killed."""
    pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    tool = [sys.executable, "-m", "dask"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    local = ["--host", "127.0.0.1", "--no-dashboard"]
    scheduler = subprocess.Popen([*tool, "scheduler", "--port", "0", "--scheduler-file", str(file), *local], **quiet)
    worker = subprocess.Popen([*tool, "worker", "--scheduler-file", str(file), "--no-nanny", *local], **quiet)
    yield file, scheduler
    for one in (worker, scheduler):
        one.kill()
        one.wait()


def wait_for_worker(file):
    """The address of a scheduler once it has a worker."""
    for _ in range(300):
        time.sleep(0.1)
        if file.exists():
            address = json.loads(file.read_text())["address"]
            try:
                Cluster(address).stop()
                return address
            except ClusterError:
                continue
    raise TimeoutError


def test_a_killed_scheduler_is_told_in_a_line_and_the_run_goes_on_elsewhere(fragile, tmp_path):
    file, scheduler = fragile
    address = wait_for_worker(file)
    (tmp_path / "some.toml").write_text(SMALL.format(games=30_000))
    command = [sys.executable, "-m", "tamaya", "run", str(tmp_path / "some.toml")]
    child = subprocess.Popen(
        [*command, "--cluster", address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    store = tmp_path / "some.run" / "games.sqlite-wal"
    while not (store.exists() and store.stat().st_size > 300_000):
        assert child.poll() is None, child.stderr.read()
        time.sleep(0.05)
    scheduler.kill()
    _, errors = child.communicate(timeout=60)
    assert child.returncode == 1
    assert errors.splitlines()[1:] == [f"tamaya: the Dask scheduler at {address} no longer answers; no game is lost"]
    assert "left to play; `tamaya run" in errors.splitlines()[0]
    with Store(tmp_path / "some.run" / "games.sqlite") as kept:
        games = all_games(kept)
    assert 0 < len(games) < 6 * 30_000
    assert set(games) < set(finish(tmp_path / "threads", small(games=30_000)))


def test_workers_with_other_versions_are_refused(address, monkeypatch):
    check_versions(fingerprint(), fingerprint())
    with pytest.raises(ClusterError, match=r"numpy is 1.0 on a worker"):
        check_versions(fingerprint() | {"numpy": "1.0"}, fingerprint())
    with monkeypatch.context() as patch:
        patch.setattr(cluster, "package_stamp", lambda: "edited")
        with pytest.raises(ClusterError, match=r"sources is .* on a worker, but edited here"):
            Cluster(address)


def test_an_address_where_nothing_answers_is_refused():
    with pytest.raises(ClusterError, match="no Dask scheduler answers"):
        Cluster("tcp://127.0.0.1:9", timeout=1)


def test_the_command_plays_on_a_cluster(address, tmp_path):
    file = tmp_path / "tiny.toml"
    file.write_text('games = 20\nplayers = [2]\n[[lineup]]\nkind = "self-play"\nagents = ["iggi"]\n')
    command = [sys.executable, "-m", "tamaya", "run", str(file), "--cluster", address]
    child = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert child.returncode == 0, child.stderr
    assert "iggi" in child.stdout
