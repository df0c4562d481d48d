"""Heat maps and plots: they show differences, and can be read."""

import math
import re

import pytest

from tamaya.engine.settings import Settings
from tamaya.experiments.lineups import Cell
from tamaya.experiments.papers.comparison import plots_of
from tamaya.experiments.papers.paper_tables import Column, PaperTable, Row
from tamaya.experiments.papers.verdicts import FigureVerdict, JudgedFigure
from tamaya.experiments.report import plots
from tamaya.experiments.report.heatmaps import MOST_NAMES, bar_of, heatmap_html, matrix, pair_maps, panels
from tamaya.experiments.report.pages import STYLE


def test_the_colours_of_a_heat_map_show_differences_beside_an_outlier():
    means = {("a", "x"): 1.0, ("a", "y"): 17.0, ("b", "x"): 17.4, ("b", "y"): 17.8, ("c", "x"): 18.0}
    (heatmap,) = panels({"2 players": means})
    assert (heatmap.rows, heatmap.columns) == (["c", "b", "a"], ["y", "x"])
    assert (heatmap.scale.low, heatmap.scale.high) == (17.0, 18.0)
    assert heatmap.scale.colour(1.0) == heatmap.scale.colour(17.0) == (255, 255, 204)
    assert heatmap.scale.colour(17.5) == (0x41, 0xB6, 0xC4)
    assert matrix(heatmap)[0] == ["c", "not played", "18.00"]
    page, bar = heatmap_html(heatmap), bar_of([heatmap])
    assert '<td class="dark" style="background: #253494" title="c with x: 18.000">18.00</td>' in page
    assert ">1.00 ▼</td>" in page
    assert "<span>17.0</span><span>17.2</span><span>17.5</span><span>17.8</span><span>18.0</span>" in bar
    assert "Mean score, on a linear scale; ▼ is below the scale." in bar
    assert "hatched" in bar
    (alike,) = panels({"alike": {("a", "x"): 5.0, ("b", "x"): 5.0}})
    assert alike.scale.colour(5.0) == (0x41, 0xB6, 0xC4)
    (empty,) = panels({"nothing": {("a", "x"): math.nan}})
    assert "not played" in heatmap_html(empty)
    assert "hatched: not played" in bar_of([empty])
    assert "<i>" not in bar_of([empty])


def bright(colour):
    """The relative luminance of WCAG 2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return linear[0] * 0.2126 + linear[1] * 0.7152 + linear[2] * 0.0722


def contrast(one, two):
    low, high = sorted((bright(one), bright(two)))
    return (high + 0.05) / (low + 0.05)


def test_every_text_can_be_read_in_light_and_dark_rooms():
    means = {(f"agent{index}", partner): index / 20 for index in range(MOST_NAMES) for partner in "xy"}
    means[f"agent{MOST_NAMES - 1}", "y"] = 999.0
    page = heatmap_html(panels({"2 players": means})[0])
    fields = re.findall(r'<td( class="dark")? style="background: (#[0-9a-f]{6})"', page)
    assert len({colour for _, colour in fields}) == MOST_NAMES
    style = " ".join(STYLE.split())
    assert ".map td { text-align: center; color: #000;" in style
    assert ".map td.dark { color: #fff; }" in style
    for is_dark, colour in fields:
        assert contrast("#ffffff" if is_dark else "#000000", colour) >= 4.5, colour
    for block in STYLE.split("@media (prefers-color-scheme: dark)")[:2]:
        found = dict(re.findall(r"--(paper|ink|good|bad): (#\w+)", block))
        full = {name: code if len(code) == 7 else "#" + code[1:4] * 2 for name, code in found.items()}
        for ground in ("paper", "good", "bad"):
            assert contrast(full["ink"], full[ground]) >= 4.5


@pytest.mark.parametrize(("count", "kind"), [(2, "map"), (8, "map"), (9, "map upright"), (40, "map upright")])
def test_the_labels_of_a_heat_map_stand_upright_where_there_are_many(count, kind):
    names = [f"agent{index}(parameter={index})" for index in range(count)]
    (heatmap,) = panels({"2 players": {(one, two): float(len(one + two)) for one in names for two in names}})
    page = heatmap_html(heatmap)
    assert f'<table class="{kind}' in page
    assert ("upright" in page) == ("upright" in kind)
    assert page.count("<td") == count * count
    assert page.count("<button") == count


def test_a_heat_map_of_very_many_agents_shows_the_highest():
    settings = Settings(players=2)
    means = {
        Cell("pairing", f"agent{index}", partner, (f"agent{index}", partner), (), True, settings): index % 977 / 40
        for index in range(10_000)
        for partner in ("x", "y")
    }
    (heatmap,) = pair_maps(means)
    assert len(heatmap.rows) == MOST_NAMES
    assert heatmap.title == "2 players, the highest 40 of 10,000 agents with 2 of 2 partners"
    assert min(min(heatmap.line(row)) for row in heatmap.rows) > 24
    assert heatmap_html(heatmap).count("<td") == 2 * MOST_NAMES


def test_dots_span_what_they_show_and_long_names_are_wrapped():
    rows = [("one", 17.1, 17.0, 17.2), ("search(iggi(counting=2017), iterations=100, published=yes)", 17.6, 17.5, 17.7)]
    picture = plots.dots("2 players", rows, "mean score")
    ticks = [float(text) for text in re.findall(r">(\d+\.\d)</text>", picture)]
    assert 16.9 <= min(ticks) < max(ticks) <= 17.8
    assert picture.index("iterations=100") < picture.index(">one<")
    assert plots.brief_name("piers(counting=2017)") == "piers(counting=2017)"
    assert plots.brief_name("a$b$c") == r"a\$b\$c"
    assert plots.brief_name("x" * 40) == "x" * 26 + "…"


def budget_table(budgets):
    names = [f"search {index}" for index in range(10)]
    columns = [Column(f"{budget:g} ms", budget=budget) for budget in (100.0, 300.0, 3000.0)]
    table = PaperTable("S", "T", "1", columns, [Row(name, [1.0, 2.0, 3.0]) for name in names])
    verdicts = [
        JudgedFigure(name, f"{budget:g} ms", 9.0 + index, FigureVerdict.AGREES, "", 100, 10.0 + index, 0.1)
        for index, name in enumerate(names)
        for budget in budgets
    ]
    return names, plots_of(table, verdicts)


def test_a_single_budget_is_drawn_as_dots_and_several_as_curves_that_can_be_told_apart():
    names, (dots,) = budget_table([100.0])
    assert "per move" not in dots
    assert all(f">{name}</text>" in dots for name in names)
    assert ">100 ms</text>" in dots
    assert len(budget_table([100.0, 3000.0])[1]) == 2
    names, (curves,) = budget_table([100.0, 300.0, 3000.0])
    assert "ms per move of the paper" in curves
    assert len({colour for colour in plots.COLOURS if colour in curves}) == len(plots.COLOURS)
    assert curves.count("published: hollow, dotted") == 1
    assert all(curves.count(f">{name}</text>") == 1 for name in names)
    pairs = {(index % len(plots.COLOURS), index % len(plots.MARKERS)) for index in range(56)}
    assert len(pairs) == 56
    for colour in plots.COLOURS:
        assert contrast(colour, "#ffffff") >= 3
        assert contrast(colour, "#15171b") >= 3
