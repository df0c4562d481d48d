"""Papers beside what was measured: fields, summaries, reasons, heat maps on one scale."""

import re

from test_pages import heads_of

from tamaya.experiments.papers.comparison import field, grid, reason_sections, summary, write_comparison
from tamaya.experiments.papers.paper_tables import Column, PaperTable, Row
from tamaya.experiments.papers.verdicts import FigureVerdict, JudgedFigure

VERDICTS = [
    JudgedFigure("A", "2 players", 10.0, FigureVerdict.AGREES, "", 400, 10.1, 0.1, 0.1, -0.2, 0.4),
    JudgedFigure("A", "3 players", 12.0, FigureVerdict.DIFFERS, "better cards", 200, 14.0, 0.1, 2.0, 1.7, 2.3),
    JudgedFigure("B", "2 players", 9.5, FigureVerdict.NOT_PLAYED),
    JudgedFigure("B", "3 players", 9.0, FigureVerdict.TOO_FEW_GAMES, "", 5, 8.0),
    JudgedFigure("C", "2 players", None, FigureVerdict.UNPUBLISHED, "", 400, 3.0, 0.1),
    JudgedFigure("D", "3 players", 7.0, FigureVerdict.INCOMPARABLE, "another game"),
]
TABLE = PaperTable(
    "Somebody 2020",
    "Table 1",
    "100 per cell",
    [Column("2 players"), Column("3 players")],
    [Row(name, [1.0, 1.0]) for name in "ABCD"],
)


def test_a_paper_table_keeps_its_rows_and_columns_with_a_mark_in_every_field():
    section = grid(TABLE, VERDICTS)
    assert section.heads == ("row", "2 players", "3 players", "games")
    assert section.rows == [
        ["A", "10 / 10.10 ± 0.20 ✓", "12 / 14.00 ± 0.20 ≠", "200 to 400"],
        ["B", "9.5 …", "9 / 8.00 …", "5"],
        ["C", "none / 3.00 ± 0.20", "", "400"],
        ["D", "", "7 –", ""],
    ]
    assert summary(VERDICTS).startswith(
        "1 of 2 compared figures agree (✓), 1 differs (≠). The others: 2 not played yet"
    )
    assert field(VERDICTS[3]).endswith("…")


def test_the_reasons_stand_below_a_paper_table():
    differ, others = reason_sections(VERDICTS)
    assert differ.rows == [["A", "3 players", "12", "14.00 ± 0.20", "+2.00", "better cards"]]
    assert others.rows[-1] == ["D", "3 players", "not comparable: another game"]


def test_a_comparison_begins_with_how_many_agree(tmp_path):
    write_comparison("some/table-1", TABLE, VERDICTS, tmp_path / "some" / "table-1")
    text = (tmp_path / "some" / "table-1" / "comparison.md").read_text()
    assert text.splitlines()[2].startswith("1 of 2 compared figures agree (✓)")
    assert heads_of(text)[0] == "Published / measured"
    assert "| A | 2 players | 10 | 10.10 ± 0.20 | 400 | ✓ agrees |" in text
    page = (tmp_path / "some" / "table-1" / "comparison.html").read_text()
    assert page.count("<svg") == 2
    assert '<td data-mark="≠"><span>12 /</span> <span>14.00</span> <span>± 0.20 ≠</span></td>' in page


def test_a_paper_table_of_pairs_has_its_heat_maps_on_one_scale(tmp_path):
    table = PaperTable("S", "T", "1", [Column("A"), Column("B")], [Row("A", [1.0, 2.0]), Row("B", [3.0, 4.0])])
    places = [("A", "A", 1.0), ("A", "B", 2.0), ("B", "A", 3.0), ("B", "B", 4.0)]
    verdicts = [
        JudgedFigure(row, column, mean, FigureVerdict.AGREES, "", 100, mean + 1, 0.1) for row, column, mean in places
    ]
    write_comparison("s/t", table, verdicts, tmp_path / "s" / "t")
    page = (tmp_path / "s" / "t" / "comparison.html").read_text()
    (bar,) = re.findall(r'<div class="bar">.*?</div>', page)
    assert "<span>1.0</span>" in bar
    assert "<span>5.0</span>" in bar
