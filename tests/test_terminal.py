"""What a person sees: tables that fit, times and numbers as people write them, help, colours, completion."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
import typer
from conftest import compiled_only
from typer.testing import CliRunner

from tamaya import Game, run_match
from tamaya.cli import app as cli
from tamaya.cli.printing.console import Terminal
from tamaya.cli.printing.match_results import result_lines
from tamaya.cli.printing.tables import figure_lines
from tamaya.cli.reproduce import reason_lines
from tamaya.cli.run import ranking_lines
from tamaya.engine.text import count_of, digits, duration, in_words
from tamaya.experiments.experiment import parse_experiment
from tamaya.experiments.papers.paper_tables import data_files
from tamaya.experiments.papers.verdicts import FigureVerdict, JudgedFigure
from tamaya.experiments.report.rankings import rankings
from tamaya.experiments.runs import Run
from tamaya.play.terminal.colours import coloured
from tamaya.replay import save

LONG = "ris(rules=goodman, convention=yes, rollout=vdb, iterations=10)+piers"


def invoke(*arguments):
    result = CliRunner().invoke(cli.app, [str(one) for one in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.stdout


@pytest.mark.parametrize("width", [40, 80, 120, 200])
@pytest.mark.parametrize("name", ["piers", LONG])
def test_no_table_is_wider_than_the_terminal_or_loses_a_column(width, name):
    rows = [
        {
            "agent": name,
            "players": str(players),
            **{f"figure {count}": f"{1000 * players + count}" for count in range(9)},
        }
        for players in (2, 3)
    ]
    lines = [line.plain for line in figure_lines(rows, width)]
    text = "\n".join(lines)
    for row in rows:
        for value in list(row.values())[2:]:
            assert text.count(value) == 1
    assert all(len(line) <= width or line == name for line in lines)
    assert name in lines or any(line.startswith(f"{name}  ") for line in lines)


def test_the_results_of_a_match_fit_eighty_columns():
    results = run_match(["risky", "flat(piers, deals=2)"], [2, 3], games=3)
    lines = [line.plain for line in result_lines(results, 80)]
    assert max(map(len, lines)) <= 80
    assert all(any(head in line for line in lines) for head in ("struck out", "iterations", "no move", "per move"))


@compiled_only
@pytest.mark.parametrize("columns", ["60", "140"])
def test_piped_output_is_as_wide_as_the_columns_say(columns):
    command = [sys.executable, "-m", "tamaya", "match", "piers", "vdb", "--games", "5", "--players", "2"]
    child = subprocess.run(command, env=os.environ | {"COLUMNS": columns}, capture_output=True, text=True, check=True)
    assert max(map(len, child.stdout.splitlines())) <= int(columns)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(8.13e-6, "8.1 µs"), (0.0123, "12 ms"), (0.9999, "1 s"), (59.7, "1 min"), (200, "3 min 20 s"),
     (12540, "3 h 29 min"), (86400 * 2 + 14000, "2 d 4 h")],
)  # fmt: skip
def test_times_are_written_as_a_person_writes_them(seconds, words):
    assert duration(seconds).replace("1.0 s", "1 s") == words


def test_numbers_have_the_digits_that_a_person_reads():
    assert [digits(value) for value in (0.4242, 8.13, 34.4, 34512.3)] == ["0.42", "8.1", "34", "34,500"]
    assert [count_of(1, "game"), count_of(10_000, "game")] == ["1 game", "10,000 games"]


def test_the_list_of_tables_fits_a_screen():
    lines = invoke("reproduce", "--list").splitlines()
    names = [line.split()[0] for line in lines[1 : lines.index("")]]
    assert names == [name for name, _ in data_files()]
    assert len(lines) <= 25
    assert any(re.search(r"[0-9] h [0-9]+ min *$", line) for line in lines)


def test_a_run_ends_with_rankings_that_fit(tmp_path):
    plan = {
        "games": 20,
        "players": [2, 3],
        "lineup": [{"kind": "self-play", "agents": ["flawed", "piers", "iggi"]}],
    }
    with Run(tmp_path, parse_experiment(plan)) as run:
        assert list(rankings(run)) == []
        run.play()
        (ranking,) = rankings(run)
    lines = [line.plain for line in ranking_lines(ranking, 80)]
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["agent", "games", "mean", "±", "95", "%", "to", "the", "first", "2p", "3p"]
    assert lines[-1].startswith("3 flawed     40")
    assert len(list(ranking_lines(ranking, 20))) > len(lines)


COMMANDS = typer.main.get_command(cli.app).commands
LEARNING = COMMANDS["learn"].commands


@pytest.mark.parametrize(
    "words", [*([name] for name in COMMANDS if name != "learn"), *(["learn", name] for name in LEARNING)]
)
def test_the_help_of_every_command_has_an_example_and_no_type_of_python(words):
    text = invoke(*words, "-h")
    assert text == invoke(*words, "--help")
    assert f"  tamaya {' '.join(words)}" in text
    assert not re.search(r"<(int|str|path|list|bool|float)|range|\[x>", text)
    assert max(map(len, text.splitlines())) <= 80


def test_every_command_stands_in_a_file_of_its_name():
    files = {path.stem for path in pathlib.Path(cli.__file__).parent.glob("*.py")}
    assert files - {*COMMANDS, *LEARNING} == {"__init__", "app", "game_options", "help", "options", "recorded_games"}
    for name, command in {**COMMANDS, **LEARNING}.items():
        assert name == "learn" or command.callback.__module__ == f"tamaya.cli.{name}"


def test_the_help_lists_the_commands_in_groups():
    text = invoke("-h")
    assert text == invoke()
    panels = [line.rstrip(":") for line in text.splitlines() if re.fullmatch(r"[A-Z][a-z ]+:", line)]
    assert panels == ["Options", *cli.COMMANDS]


@compiled_only
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("tamaya m", {"match"}),
        ("tamaya match pi", {"piers"}),
        ("tamaya match piers+vd", {"piers+vdb"}),
        ("tamaya reproduce bouzy/table-1", {"bouzy/table-1"}),
    ],
)
def test_a_shell_completes_commands_agents_and_tables(words, expected):
    command = [sys.executable, "-c", "from tamaya.cli.app import app; app(prog_name='tamaya')"]
    environment = os.environ | {
        "_TAMAYA_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    child = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert set(child.stdout.split()) == expected, child.stderr


def some_games(path, games=3):
    invoke("match", "piers+vdb", "--games", games, "--save", path)
    return path


def test_the_games_of_a_file_are_listed_with_their_scores(tmp_path):
    path = some_games(tmp_path / "games.jsonl")
    lines = invoke("show", path).splitlines()
    assert [line.split()[:3] for line in lines[1:4]] == [[str(number), "2", "piers+vdb"] for number in (1, 2, 3)]
    assert all(re.search(r"[0-9]+ of 25 +[0-9]+ +(deck empty|struck out|perfect) *$", line) for line in lines[1:4])
    assert f"`tamaya show {path} --game N` shows one" in lines[-1].replace("\n", "")
    listed = json.loads(invoke("show", path, "--json"))["games"]
    assert [game["names"] for game in listed] == [["piers", "vdb"]] * 3
    game = Game(players=2, seed=1)
    save(game, tmp_path / "one.json")
    assert invoke("show", tmp_path / "one.json").startswith("Alice and Bob play, game 1.")


def test_thinking_has_good_defaults(tmp_path):
    path = some_games(tmp_path / "games.jsonl")
    thoughts = json.loads(invoke("think", path, "--json"))
    assert thoughts["made"] in [one["move"] for one in thoughts["thoughts"]["candidates"]]
    assert thoughts["thoughts"]["agent"] in ("search(piers, ms=500)", "search(vdb, ms=500)")
    assert "tell Bob" in invoke("think", path, "--turn", "0", "--agent", "iggi")


def test_cards_have_their_colours():
    game = Game(players=2, seed=1)
    shown = coloured("R1 plays red 1; B· and W5, not Robert", game.wording)
    styles = {shown.plain[span.start : span.end]: span.style for span in shown.spans}
    assert styles == {"R1": "red", "red 1": "red", "B·": "blue", "W5": "bold"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Expected `int`, got `str` - at `$.games`", "games must be a whole number, not a text"),
        ("Expected `array`, got `null`", "it must be a list, not nothing"),
        (
            "Expected `int | null`, got `str` - at `$.a[0].b[...]`",
            "a 1, b must be a whole number or nothing, not a text",
        ),
        ("Object missing required field `deck`", "there is no deck"),
        ("Object missing required field `rank` - at `$.deck[3]`", "deck 4 has no rank"),
        ("Invalid enum value 7 - at `$.actions[0].type`", "actions 1, type cannot be 7"),
        ("something else", "something else"),
    ],
)
def test_what_a_decoder_says_is_said_in_the_words_of_the_user(text, words):
    assert in_words(ValueError(text)) == words


def test_a_game_far_beyond_the_last_is_refused_in_words(tmp_path):
    path = some_games(tmp_path / "games.jsonl")
    result = CliRunner().invoke(cli.app, ["show", str(path), "--game", str(10**30)])
    assert "holds 3 games; there is no game 1000" in str(result.exception)


def test_the_reasons_of_verdicts_stand_below_the_table_once():
    because = (FigureVerdict.INCOMPARABLE, "of another program")
    verdicts = [JudgedFigure(row, "score", 1.0, *because) for row in ("one", "two")]
    assert list(reason_lines(verdicts)) == ["– of another program: one, two"]


def test_a_story_fits_the_terminal(tmp_path, monkeypatch):
    path = some_games(tmp_path / "games.jsonl", 1)
    monkeypatch.setattr("tamaya.cli.printing.console.out", Terminal(width=60, highlight=False))
    lines = invoke("show", path, "--game", "1").splitlines()
    assert max(len(line) for line in lines if "https://" not in line) <= 60


def test_an_endless_file_is_refused_at_once():
    result = CliRunner().invoke(cli.app, ["show", "/dev/zero"])
    assert "is not a file of games" in str(result.exception)


def test_numbers_that_are_not_are_refused_in_words():
    child = subprocess.run(
        [sys.executable, "-m", "tamaya", "match", "piers", "-g", "ten"], capture_output=True, text=True
    )
    assert child.returncode == 2
    assert "it must be a whole number" in child.stderr
