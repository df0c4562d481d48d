"""Pages: what stands first, rankings, and tables that lose nothing."""

import base64
import hashlib
import json
import re

import pytest
from conftest import several

from tamaya.cli.run import ranking_lines
from tamaya.experiments.experiment import parse_experiment
from tamaya.experiments.report.heatmaps import heatmap_html, panels
from tamaya.experiments.report.html_markup import html_cell as table_cell
from tamaya.experiments.report.pages import Page, ReportSection, page_markdown
from tamaya.experiments.report.pages import page_html as page_html
from tamaya.experiments.report.rankings import PARTIAL, UNRANKED, rankings
from tamaya.experiments.report.run_report import write_report
from tamaya.experiments.runs import Run

AGENTS = ["piers", "flawed", "iggi"]
GAMES = several(40, 3)


def played(folder, cells=None, **changes):
    """A run of self-play and all pairs, of which only some first cells are played if their number is given."""
    lineups = [{"kind": "self-play", "agents": AGENTS}, {"kind": "every-pair", "agents": AGENTS}]
    raw = {"games": GAMES, "players": [2, 3], "lineup": lineups, **changes}
    with Run(folder, parse_experiment(raw)) as run:
        for cell in list(run.cells)[cells:] if cells is not None else []:
            del run.cells[cell]
        run.play()
    write_report(folder)
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return played(tmp_path_factory.mktemp("pages") / "whole.run")


@pytest.fixture(scope="module")
def part(tmp_path_factory):
    return played(tmp_path_factory.mktemp("pages") / "part.run", 8)


def heads_of(text):
    return re.findall("^## (.*)$", text, re.MULTILINE)


def test_summary_ranking_and_heat_map_come_before_the_details(whole):
    text = (whole / "report.md").read_text()
    order = ["Ranking in self-play", "Ranking over all pairs", "Mean score of agents (rows) with partners (columns)"]
    assert heads_of(text)[:4] == [*order, "Cells"]
    first = text.split("\n## ")[0]
    assert "18 cells" not in first
    assert f"12 cells of 3 agents with 2 and 3 players, {GAMES} games per cell, seed 1, the official rules." in first
    assert re.search(r"In self-play, piers is first with [\d.]+ ± [\d.]+; iggi is [\d.]+ ± [\d.]+ behind", first)
    page = (whole / "report.html").read_text()
    places = [page.index(f"<h2>{head}</h2>") for head in heads_of(text)]
    assert places == sorted(places)


def test_a_ranking_is_that_of_the_means_with_differences_deck_by_deck(whole):
    with Run(whole, is_read_only=True) as run:
        alone, _ = rankings(run)
        cells = {
            name: [cell for cell in run.cells if cell.kind == "self-play" and cell.agent == name] for name in AGENTS
        }
        scores = {}
        for name in AGENTS:
            columns = [next(run.store.columns(*run.cells[cell]))["score"] for cell in cells[name]]
            scores[name] = (columns[0] + columns[1]) / 2
    first, *others = alone.standings
    assert [first.name, *(one.name for one in others)] == sorted(AGENTS, key=lambda name: -scores[name].mean())
    assert first.gain is None
    for one in others:
        gains = scores[one.name] - scores[first.name]
        assert one.mean == pytest.approx(scores[one.name].mean())
        assert one.gain.mean == pytest.approx(gains.mean())
        assert (one.gain.high - one.gain.mean) == pytest.approx(
            (one.high - one.mean) * gains.std() / scores[one.name].std(), rel=1e-6
        )


def test_who_has_not_met_everybody_has_no_rank(tmp_path):
    lineups = [
        {"kind": "self-play", "agents": ["flawed", "iggi"]},
        {"kind": "self-play", "agents": ["piers"], "players": [2]},
    ]
    text = (played(tmp_path / "some.run", lineup=lineups) / "report.md").read_text()
    table = text.split("## Ranking in self-play")[1].split("##")[0]
    assert re.findall(r"^\| (\w+) \| (\d*) ", table, re.MULTILINE) == [("iggi", "1"), ("flawed", "2"), ("piers", "")]
    assert "Agents without a rank" in table


def test_agents_that_no_table_has_in_common_are_ranked_table_by_table(tmp_path):
    lineups = [
        {"kind": "self-play", "agents": ["flawed", "piers"], "players": [2]},
        {"kind": "self-play", "agents": ["outer"], "players": [3]},
        {"kind": "self-play", "agents": ["iggi", "flawed"], "players": [4]},
    ]
    path = played(tmp_path / "some.run", lineup=lineups)
    with Run(path, is_read_only=True) as run:
        found = {one.way: [standing.name for standing in one.standings] for one in rankings(run)}
    assert found == {
        "in self-play with 2 players": ["piers", "flawed"],
        "in self-play with 3 players": ["outer"],
        "in self-play with 4 players": ["iggi", "flawed"],
    }
    text = (path / "report.md").read_text()
    assert "In self-play with 2 players, piers is first with" in text
    assert "## Ranking in self-play with 4 players" in text
    assert "## Ranking in self-play with 3 players" not in text


def test_the_means_of_an_unfinished_ranking_agree_with_each_other(tmp_path):
    plan = {"games": 10, "players": [2, 3], "lineup": [{"kind": "self-play", "agents": AGENTS}]}
    with Run(tmp_path, parse_experiment(plan)) as run:
        for cell in run.cells:
            list(run.played(cell, 1, most=10 if cell.settings.players == 2 else 4))
        (ranking,) = rankings(run)
    for one in ranking.standings:
        assert one.games == 2 * 4
        assert [part.games for part in one.by_table.values()] == [4, 4]
        assert one.mean == pytest.approx(sum(part.mean for part in one.by_table.values()) / 2)
        assert one.tables[0].startswith(f"{one.by_table['2 players'].mean:.3f}")
    assert ranking.note == PARTIAL
    assert list(ranking_lines(ranking, 140))[-1].plain.strip() == PARTIAL
    write_report(tmp_path)
    assert PARTIAL in (tmp_path / "report.md").read_text()


def test_the_means_of_who_has_no_rank_are_those_of_all_its_games(tmp_path):
    plan = {"games": 3, "players": [2, 3], "lineup": [{"kind": "self-play", "agents": AGENTS}]}
    with Run(tmp_path, parse_experiment(plan)) as run:
        for cell in run.cells:
            list(run.played(cell, 1, most=0 if (cell.agent, cell.settings.players) == ("piers", 3) else None))
        (ranking,) = rankings(run)
    last = ranking.standings[-1]
    assert (last.name, last.is_ranked, last.games) == ("piers", False, 0)
    assert [one.games for one in last.by_table.values()] == [3, 0]
    assert last.tables[1] == ""
    assert ranking.note == f"{UNRANKED} {PARTIAL}"


def test_a_whole_ranking_has_no_note(whole):
    with Run(whole, is_read_only=True) as run:
        assert [ranking.note for ranking in rankings(run)] == ["", ""]


def test_a_single_game_has_a_mean_and_no_interval(tmp_path):
    text = (played(tmp_path, games=1) / "report.md").read_text()
    assert "1 game per cell" in text
    assert "nan" not in text


def test_unplayed_cells_are_told_and_hatched(part):
    text, page = (part / "report.md").read_text(), (part / "report.html").read_text()
    assert f"{5 * GAMES} of {12 * GAMES} games are missing" in text
    assert "5 of 12 cells have no games yet" in text
    assert text.count(f"| 0 of {GAMES} | not played |") == 5
    assert "hatched: not played" in page
    assert page.count('<td class="gap"') == 2 * 5
    assert '<td class="gap" title="flawed with iggi: not played">' in page


def test_games_that_are_missing_in_a_cell_are_told(tmp_path):
    played(tmp_path, games=GAMES)
    with Run(
        tmp_path,
        parse_experiment({"games": GAMES + 2, "players": [2], "lineup": [{"kind": "self-play", "agents": AGENTS}]}),
    ):
        pass
    write_report(tmp_path)
    assert (tmp_path / "report.md").read_text().count(f"| {GAMES} of {GAMES + 2} |") == 3


def test_games_that_are_no_longer_asked_for_are_told(tmp_path):
    played(tmp_path, games=3, players=[2], lineup=[{"kind": "self-play", "agents": AGENTS}])
    path = tmp_path / "experiment.json"
    raw = json.loads(path.read_text())
    raw["experiment"]["lineup"][0]["agents"] = AGENTS[:2]
    raw["experiment"]["games"] = 2
    path.write_text(json.dumps(raw))
    with Run(tmp_path, is_read_only=True) as run:
        assert run.unasked() == 3 + 2 * 1
    write_report(tmp_path)
    first = (tmp_path / "report.md").read_text().split("\n## ")[0]
    assert "The run also holds 5 games that the experiment no longer asks for; this report leaves them out." in first


def test_every_row_of_a_table_has_all_columns_in_both_forms(part):
    text, page = (part / "report.md").read_text(), (part / "report.html").read_text()
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1
    tables = re.findall(r"<table.*?</table>", page, re.DOTALL)
    for table in tables:
        assert len({len(re.findall(r"<t[hd]\b", row)) for row in table.split("<tr>")[1:]}) == 1
    assert page.count('<div class="wide"') == len(tables)
    assert max(map(str.__len__, re.findall(r"^\| agent .*$", text, re.MULTILINE))) > 100


def test_tables_are_sorted_by_buttons_with_a_script_that_alone_may_run(whole):
    page = (whole / "report.html").read_text()
    assert '<th scope="col"><button type="button">mean</button></th>' in page
    (script,) = re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)
    stamp = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{stamp}'" in page
    assert "aria-sort" in script


def test_a_page_is_made_for_phones_and_dark_rooms(whole):
    page = (whole / "report.html").read_text()
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page
    assert "@media (prefers-color-scheme: dark)" in page
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert pictures
    for picture in pictures:
        assert 'role="img" aria-label=' in picture
        assert "#000000" not in picture
        assert float(re.search(r'width="([\d.]+)pt"', picture)[1]) <= 72 * 5


def test_a_page_says_what_made_it_and_markdown_holds_no_date(whole):
    text, page = (whole / "report.md").read_text(), (whole / "report.html").read_text()
    before = text
    for part_of in (text, page):
        assert "tamaya report whole.run" in part_of
        assert re.search(r"with tamaya \d+\.\d+", part_of)
    again = "copy the experiment.json of this run into a new directory and give that directory to `tamaya run`."
    assert again in text
    assert "no longer asks for" not in text
    assert re.search(r"Written on \d{4}-\d\d-\d\d\.", page)
    assert not re.search(r"\d{4}-\d\d-\d\d", text)
    write_report(whole)
    assert (whole / "report.md").read_text() == before


def test_the_experiment_on_a_page_plays_the_same_again(whole, tmp_path):
    page = (whole / "report.html").read_text()
    raw = re.search(r"<pre>(.*?)</pre>", page, re.DOTALL)[1].replace("&quot;", '"')
    (tmp_path / "experiment.json").write_text(raw)
    (tmp_path / "lock").touch()
    with Run(whole, is_read_only=True) as run:
        assert Run(tmp_path).experiment == run.experiment
    assert json.loads(raw)["experiment"]["games"] == GAMES


def test_cells_of_other_rules_are_told_apart(tmp_path):
    lineups = [
        {"kind": "self-play", "agents": ["piers", "iggi"]},
        {"kind": "self-play", "agents": ["piers", "iggi"], "rules": {"lives": 1}},
    ]
    text = (played(tmp_path, lineup=lineups, players=[2]) / "report.md").read_text()
    assert "| agent | players | rules | games |" in text
    assert text.count("| piers | 2 | lives = 1 |") == 1
    assert "| 2 players | 2 players, lives = 1 |" in text


def test_the_panels_of_a_report_have_one_scale_and_one_order(whole):
    page = (whole / "report.html").read_text()
    assert page.count('<div class="bar">') == 1
    assert "one linear scale for all panels, whose rows and columns have the same order" in page
    maps = re.findall(r'<table class="map">.*?</table>', page, re.DOTALL)
    heads = [re.findall(r"<button[^>]*>(.*?)<", one) for one in maps]
    rows = [re.findall(r'<th scope="row">(.*?)<', one) for one in maps]
    assert len(maps) == 2
    assert heads[0] == heads[1]
    assert rows[0] == rows[1]
    grids = {
        "2 players": {("a", "x"): 1.0, ("a", "y"): 4.0, ("b", "x"): 2.0, ("b", "y"): 2.0},
        "3 players": {("a", "x"): 5.0, ("a", "y"): 3.0, ("b", "x"): 6.0, ("b", "y"): 4.0},
    }
    two, three = panels(grids)
    assert two.rows == three.rows == ["b", "a"]
    assert two.columns == three.columns == ["x", "y"]
    assert two.scale == three.scale
    assert (two.scale.low, two.scale.high) == (1.0, 6.0)


def test_tables_take_the_whole_window_and_break_and_scroll_visibly(whole):
    page = (whole / "report.html").read_text()
    assert "max-width: 78em" not in page
    assert "max-height: 85vh" not in page
    tables = page.count("<table")
    assert page.count('<p class="sign">Scroll sideways to see all columns →</p>') == tables
    assert page.count('<div class="table">') == tables
    assert 'class="many"' in page
    (heatmap,) = panels({"2 players": {("piers(counting=2017)", "a+b(x, y=1)"): 1.0}})
    shown = heatmap_html(heatmap)
    assert "piers(<wbr>counting=2017)" in shown
    assert "a+<wbr>b(<wbr>x, y=1)" in shown
    spans = "<span>16.89 /</span> <span>18.47</span> <span>± 0.05 ≠</span>"
    assert table_cell("16.89 / 18.47 ± 0.05 ≠") == f'<td data-mark="≠">{spans}</td>'
    assert table_cell("5 (1 to 9)") == "<td><span>5</span> <span>(1 to 9)</span></td>"
    assert table_cell("1,000 of 2,000") == "<td>1,000 of 2,000</td>"


def test_a_ranking_over_several_tables_says_over_what(whole):
    page = (whole / "report.html").read_text()
    assert "all tables together" not in page
    assert page.count(">all numbers of players together</text>") == 2


def test_a_text_means_nothing_but_itself_and_code_is_code():
    page = Page("a <b>", ["see `tamaya run <x>` & *more*"], [ReportSection("<i>", ["h<"], [["<td>"]])])
    assert "see `tamaya run <x>` &amp; \\*more\\*" in page_markdown(page)
    assert "<p>see <code>tamaya run &lt;x&gt;</code> &amp; *more*</p>" in page_html(page)
    assert '<th scope="row">&lt;td&gt;</th>' in page_html(page)
