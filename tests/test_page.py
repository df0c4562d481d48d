"""The page in a browser: whole games by mouse and by keys, two people, reloads, replays; skipped where none is."""

import contextlib
import gzip
import random
import re
import shutil
import socket
import threading

import msgspec
import pytest
from conftest import VARIANTS, compiled_only, short
from test_links import PERFECT
from test_studies import played

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("websockets")
pytest.importorskip("playwright")

import uvicorn
from playwright.sync_api import expect, sync_playwright

from tamaya.bridges.events import choices
from tamaya.game import links
from tamaya.game.game import Game
from tamaya.game.replay import dumps, from_record, loads
from tamaya.play.tables import study_analysis
from tamaya.play.tables.bots import Bots
from tamaya.play.tables.lobby import Lobby
from tamaya.play.tables.visibility import NOTHING, face_up
from tamaya.play.web import server as app
from tamaya.play.web.static_files import PAGE
from tamaya.play.web.table_sessions import TableSessions

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed, which the tests of the page need")

YOURS = re.compile("Your turn")
OVER = re.compile(r"\d+ points")
EITHER = re.compile(r"Your turn|\d+ points")
WAIT = 20_000
expect.set_options(timeout=WAIT)


@pytest.fixture(scope="module")
def sessions(tmp_path_factory):
    return TableSessions(Lobby(tmp_path_factory.mktemp("tables"), Bots(["piers"])))


@contextlib.contextmanager
def serving(sessions, port=0):
    """The address of a server that runs meanwhile."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    config = uvicorn.Config(
        app.make_app(sessions), log_level="error", ws="websockets-sansio", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
    listening.close()


@pytest.fixture(scope="module")
def address(sessions):
    with serving(sessions) as address:
        yield address


@pytest.fixture(scope="module")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def is_bad(message):
    """Whether a page complains of anything but a server that is away, or that refuses something."""
    return message.type == "error" and "WebSocket" not in message.text and "(Bad Request)" not in message.text


@pytest.fixture
def visit(chromium):
    """Opens pages, each in a browser of its own, and sees that none of them complains."""
    contexts, complaints = [], []

    def visit(url, width=1280, height=900, **options):
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(WAIT)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if is_bad(message) else None)
        page.goto(url)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert complaints == []


def order(page, address, seats, **more):
    """Opens a table for the page and goes there."""
    wanted = {"seats": seats, "mine": 0, "delay": 0, **more}
    table = page.request.post(f"{address}/tables", data=wanted).json()
    page.goto(f"{address}/table/{table['id']}#{table['token']}")
    expect(page.locator(".hand")).to_have_count(len(seats))
    return table


def turns(page):
    """How many turns the page knows of."""
    return int(page.get_by_role("slider", name="turn").get_attribute("max"))


def shown_hints(page):
    """The hint tokens as the page shows them."""
    return page.locator(".token", has_text="hints").locator(".value").inner_text()


def test_a_whole_game_by_mouse(visit, address):
    page = visit(address)
    page.get_by_label("your name").fill("Ann <b>")
    page.get_by_label("2", exact=True).check()
    page.get_by_text("Rules and deal").click()
    page.get_by_label("seed").fill("3")
    page.get_by_label("bots wait").select_option("0")
    page.get_by_role("button", name="Play").click()
    expect(page).to_have_title(YOURS)
    expect(page.get_by_label("Hand of Ann <b>, you")).to_be_visible()
    page.locator(".hand.mine .card").last.click()
    discard = page.get_by_role("button", name="Discard d")
    expect(discard).to_be_disabled()
    page.locator(".hand.mine .card").last.click()
    expect(discard).to_have_count(0)
    hints = 0
    while not OVER.search(page.title()):
        expect(page).to_have_title(EITHER)
        before = turns(page)
        if OVER.search(page.title()):
            break
        page.locator(".hand.mine .card").last.click()
        expect(discard).to_be_visible()
        if discard.is_enabled():
            discard.click()
        else:
            page.get_by_role("button", name=re.compile("^slot 1;")).first.click()
            page.locator(".hint:enabled").first.click()
            hints += 1
        expect(page.locator(".log li")).not_to_have_count(before)
        expect(page).to_have_title(EITHER)
    assert hints > 0
    expect(page.get_by_role("status")).to_contain_text("points")
    expect(page.locator("code")).to_have_text("3")


def test_a_whole_game_by_keyboard(visit, address, sessions):
    page = visit(address)
    page.get_by_label("your name").press("Tab")
    page.keyboard.press("ArrowLeft")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.type") == "submit":
            break
    page.keyboard.press("Enter")
    expect(page).to_have_title(YOURS)
    expect(page.locator(".hand")).to_have_count(2)
    [*sessions.lobby.tables.values()][-1].delay = 0
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    while not OVER.search(page.title()):
        before, is_refused = turns(page), shown_hints(page) == "8/8"
        page.keyboard.press("d")
        page.keyboard.press("5")
        if is_refused:
            page.keyboard.press(";")
            expect(page.locator(".hand.target")).to_have_count(1)
            for key in "12345qwert":
                page.keyboard.press(key)
                page.keyboard.press("Control+Enter")
                if page.locator(".hand.target").count() == 0:
                    break
        expect(page.get_by_role("slider", name="turn")).not_to_have_attribute("max", str(before))
        expect(page).to_have_title(EITHER)
    page.keyboard.press("Home")
    expect(page.get_by_role("status")).to_contain_text("Turn 0")
    page.keyboard.press("]")
    expect(page.get_by_role("status")).to_contain_text("Turn 2")
    page.keyboard.press("End")
    expect(page.get_by_role("status")).to_contain_text("points")


def test_a_reload_keeps_the_seat_the_game_and_the_notes(visit, address):
    page = visit(address)
    order(page, address, [{}, {"agent": "piers"}, {"agent": "piers"}])
    page.keyboard.press("a")
    page.keyboard.press("1")
    expect(page).to_have_title(YOURS)
    page.locator(".hand.mine .card").nth(2).click()
    page.get_by_role("textbox", name="note").fill("red?")
    log = page.locator(".log li").all_inner_texts()
    assert len(log) == 3
    page.reload()
    expect(page).to_have_title(YOURS)
    assert page.locator(".log li").all_inner_texts() == log
    expect(page.locator(".hand.mine .card .note")).to_have_text("red?")


def test_two_people_at_one_table_and_one_who_watches(visit, address):
    first = visit(address)
    table = order(first, address, [{"name": "Ann"}, {"name": "Ben"}])
    second = visit(first.get_by_role("textbox", name="Ben").input_value())
    expect(second.get_by_label("Hand of Ben, you")).to_be_visible()
    assert not second.url.endswith(table["invitations"][1])
    expect(first.get_by_label("Invitations")).to_have_count(0)
    watching = visit(f"{address}/table/{table['id']}")
    first.get_by_role("button", name="Ben", exact=True).click()
    first.locator(".hint:enabled").first.click()
    expect(second).to_have_title(YOURS)
    assert second.locator(".hand.mine .card.touched").count() > 0
    assert second.locator(".hand.mine .card .arrow").count() > 0
    second.locator(".hand.mine .card.touched").first.click()
    expect(second.get_by_role("button", name=re.compile("^told .* at turn 1; go there"))).to_be_visible()
    second.keyboard.press("Escape")
    second.locator(".hand.mine .card").first.click()
    second.get_by_role("button", name="Play a").click()
    expect(first).to_have_title(YOURS)
    expect(watching.locator(".log li")).to_have_count(2)
    assert watching.locator(".hand .face").count() == 0
    assert watching.locator(".hint, .choices button").count() == 0
    second.close()
    expect(first.get_by_label("Hand of Ben")).to_contain_text("away")
    first.get_by_role("button", name="let a bot play for Ben").click()
    first.keyboard.press("d")
    first.keyboard.press("1")
    expect(first.locator(".log li")).to_have_count(4)


def test_hands_are_shown_as_their_holders_know_them(visit, address):
    page = visit(address)
    order(page, address, [{}, {"agent": "piers"}], seed="4")
    others = page.locator(".hand:not(.mine) .face")
    expect(others).to_have_count(5)
    page.keyboard.down(" ")
    expect(others).to_have_count(0)
    page.keyboard.up(" ")
    expect(others).to_have_count(5)
    eye = page.get_by_role("button", name="what Bob knows")
    eye.click()
    expect(others).to_have_count(0)
    eye.click()
    expect(others).to_have_count(5)
    eye.hover()
    page.mouse.down()
    expect(others).to_have_count(0)
    page.wait_for_timeout(400)
    page.mouse.up()
    expect(others).to_have_count(5)
    eye.focus()
    page.keyboard.press("Enter")
    expect(others).to_have_count(0)


def test_a_finished_game_is_replayed_and_the_bots_say_why(visit, address):
    page = visit(address)
    order(page, address, [{}, {"agent": "piers"}, {"agent": "smartbot"}], seed="6")
    while not OVER.search(page.title()):
        expect(page).to_have_title(EITHER)
        if YOURS.search(page.title()):
            before = turns(page)
            page.keyboard.press("a")
            page.keyboard.press("1")
            expect(page.get_by_role("slider", name="turn")).not_to_have_attribute("max", str(before))
    page.locator(".log li button").nth(1).click()
    why = page.get_by_role("region", name="Why")
    expect(why).to_contain_text("Its rule")
    expect(page.get_by_role("status")).to_contain_text("Turn 2")
    assert page.locator(".hand.mine .face").count() == 5, "all cards are shown once the game is over"
    page.locator(".log li button").nth(2).click()
    expect(why).to_contain_text(re.compile("convention of smartbot|It took its"))
    page.get_by_role("slider", name="turn").fill("1")
    expect(page.get_by_role("status")).to_contain_text("Turn 1")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="same deal again").click()
    expect(page).to_have_title(YOURS)
    assert page.locator(".hand.mine .face").count() == 0
    assert turns(page) == 0


@pytest.mark.parametrize("players", [2, 5])
def test_it_fits_a_phone_and_every_control_has_a_name(visit, address, players):
    page = visit(address, 390, 844, has_touch=True)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    order(page, address, [{}, *[{"agent": "piers"}] * (players - 1)])
    expect(page).to_have_title(YOURS)
    page.locator(".hand .card").first.tap()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    for control in page.locator("button, input, select").all():
        assert control.evaluate("one => one.ariaLabel || one.innerText || one.labels?.[0]?.innerText"), control
    labels = [card.get_attribute("aria-label") for card in page.locator(".hand.mine .card").all()]
    assert labels[0] == "slot 1; unknown"
    assert all(card.bounding_box()["width"] > 44 for card in page.locator(".hand .card").all())


def bring(page, address, content):
    """Begins the study of a game and goes there."""
    study = page.request.post(f"{address}/studies", data=content).json()
    page.goto(f"{address}/study/{study['id']}")
    expect(page.get_by_role("slider", name="turn")).to_be_visible()
    return study["id"]


def lines(page):
    """The lines of a study, as the page lists them."""
    return page.get_by_label("What if").locator("li")


def test_a_link_is_replayed_and_another_line_is_tried_from_a_turn(visit, address):
    page = visit(address)
    page.get_by_label("link or JSON").fill("https://hanab.live/replay/7")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_contain_text("export/7")
    page.get_by_label("link or JSON").fill(PERFECT)
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".hand")).to_have_count(3)
    expect(page.get_by_role("status")).to_contain_text("A perfect game: 25 points")
    assert turns(page) == 54
    page.keyboard.press("Home")
    expect(page.get_by_role("status")).to_contain_text("Turn 0")
    assert page.locator(".hand .face").count() == 15, "all cards are shown"
    page.keyboard.down(" ")
    expect(page.locator(".hand .face")).to_have_count(0)
    page.keyboard.up(" ")
    page.get_by_role("slider", name="turn").fill("12")
    page.locator(".hand.mover .card").last.click()
    page.get_by_role("button", name="Discard d").click()
    expect(lines(page)).to_have_count(2)
    expect(page.get_by_role("status").first).to_contain_text("is to move")
    assert turns(page) == 13
    page.get_by_label("from here, let").select_option("piers")
    page.get_by_role("button", name="make a move").click()
    expect(page.locator(".log li")).to_have_count(14)
    page.get_by_role("button", name="play on").click()
    expect(page.get_by_role("status").first).to_contain_text("points")
    expect(page.get_by_role("button", name="stop")).to_have_count(0)
    expect(lines(page).nth(1)).to_contain_text("Piers")
    expect(lines(page).nth(1)).to_contain_text("from turn 12")
    page.get_by_role("button", name="the game: 25 points").click()
    page.get_by_role("button", name="where line 1 parts").click()
    expect(page.get_by_role("status").first).to_contain_text("Turn 12")
    page.locator(".log li button").nth(14).click()
    expect(page.get_by_role("region", name="Why")).to_contain_text("Its rule")
    page.get_by_role("button", name="share link").click()
    expect(page.get_by_label("share")).to_have_value(re.compile("hanab.live/shared-replay-json/315lrgp"))
    expect(page).to_have_url(re.compile("/study/[^#]*#1.15$"))
    page.reload()
    expect(lines(page)).to_have_count(2)
    expect(page.get_by_role("status").first).to_contain_text("Turn 15")
    page.get_by_role("button", name="delete line 1").click()
    expect(lines(page)).to_have_count(1)
    page.get_by_role("button", name="share link").click()
    expect(page.get_by_label("share")).to_have_value(PERFECT)


@compiled_only
def test_a_game_is_analysed_and_tried_again_from_a_mistake(visit, address, monkeypatch):
    monkeypatch.setattr(study_analysis, "ITERATIONS", 100)
    _, record = played("outer", seed=2)
    page = visit(address)
    bring(page, address, dumps(record).decode())
    page.get_by_role("button", name="analyse this line").click()
    analysis = page.get_by_role("region", name="Analysis")
    expect(analysis.get_by_role("listitem").first).to_contain_text("mistake")
    expect(analysis.get_by_role("img", name=re.compile("Expected score by turn, from"))).to_be_visible()
    expect(analysis).to_contain_text("everybody plays on like")
    expect(analysis).to_contain_text(re.compile("in reach until move|never allowed"))
    assert page.locator(".log .cost.mistake").count() > 0
    page.get_by_role("button", name=re.compile("mistake at move")).first.click()
    expect(analysis).to_contain_text("a mistake.")
    analysis.get_by_role("button", name="make the move of the search").click()
    expect(lines(page)).to_have_count(2)
    page.get_by_label("from here, let").select_option("smartbot")
    page.get_by_role("button", name="play on").click()
    expect(lines(page).nth(1)).to_contain_text("Smart")
    expect(page.get_by_role("button", name="stop")).to_have_count(0)
    expect(page.get_by_role("status").first).to_contain_text("points")
    page.get_by_role("button", name="analyse this line").click()
    expect(analysis).to_contain_text("Dotted: the game")
    expect(page.get_by_role("button", name="stop")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^the game")).click()
    expect(analysis.locator("circle.mistake").first).to_be_visible()
    page.keyboard.press("End")
    expect(analysis.get_by_role("table").first).to_contain_text("exact chances")


def test_a_study_by_keyboard_alone(visit, address):
    page = visit(address)
    bring(page, address, PERFECT)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("d")
    page.keyboard.press("5")
    expect(page.get_by_role("status").first).to_contain_text("Turn 1", timeout=1000)
    assert lines(page).count() == 1, "all hints are there, so nobody can discard"
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.keyboard.press("5")
    expect(lines(page)).to_have_count(2)
    page.keyboard.press("n")
    expect(page.get_by_role("button", name="the game: 25 points")).to_have_attribute("aria-current", "true")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press(";")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(lines(page)).to_have_count(3)
    expect(lines(page).nth(2)).to_contain_text("tells")


def test_a_file_with_several_games_is_chosen_from_and_its_notes_are_kept(visit, address, tmp_path):
    record = links.decode_link(PERFECT)
    record.players[0] = "<i>Ann</i>"
    record.notes = [["", "b3"], [], []]
    path = tmp_path / "games.jsonl"
    path.write_bytes(dumps(record) + b"\n" + dumps(record) + b"\n")
    page = visit(address)
    dropped = page.evaluate_handle(
        """([text]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([text], "games.jsonl"));
            return transfer;
        }""",
        [path.read_text()],
    )
    page.locator(".replays").dispatch_event("dragover", {"dataTransfer": dropped})
    expect(page.locator(".replays.over")).to_be_visible()
    page.locator(".replays").dispatch_event("drop", {"dataTransfer": dropped})
    expect(page.get_by_role("button", name=re.compile("^2 <i>Ann"))).to_be_visible()
    page.reload()
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_role("button", name=re.compile("^2 <i>Ann")).click()
    expect(page.get_by_label("Hand of <i>Ann</i>")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.locator(".note")).to_have_text("b3")
    page.locator("[data-order='3']").click()
    page.get_by_role("textbox", name="note").fill("cm")
    expect(page.locator("[data-order='3']")).to_have_class(re.compile("chop-moved"))
    with page.expect_download() as saved:
        page.get_by_role("button", name="save as JSON").click()
    kept = loads(saved.value.path().read_bytes())
    assert kept.notes[0][:5] == ["", "b3", "", "cm", ""]
    assert from_record(kept).score == 25


def test_a_finished_game_goes_on_as_a_study(visit, address):
    page = visit(address)
    order(page, address, [{}, {"agent": "piers"}], seed="2")
    page.locator("[data-order='0']").click()
    page.get_by_role("textbox", name="note").fill("red 1")
    page.keyboard.press("Escape")
    while not OVER.search(page.title()):
        page.locator("h2").first.click()
        before = turns(page)
        page.keyboard.press("a")
        page.keyboard.press("1")
        expect(page.get_by_role("slider", name="turn")).not_to_have_attribute("max", str(before))
        expect(page).to_have_title(EITHER)
    expect(page.get_by_label("share")).to_have_value(re.compile("hanab.live"))
    page.get_by_role("button", name="replay, what if").click()
    expect(page).to_have_url(re.compile("/study/"))
    expect(lines(page)).to_have_count(1)
    page.keyboard.press("Home")
    expect(page.locator("[data-order='0'] .note")).to_have_text("red 1")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("r1", "noted as red 1"),
        ("Red 1", "noted as red 1"),
        ("old | b2", "noted as blue 2"),
        ("[y5] sure?", "noted as yellow 5"),
        ("r2, r3", "one of R2 R3"),
        ("5", "one of R5 Y5 W5 B5"),
        ("green", "green"),
        ("kt", "trash"),
        ("trash", "trash"),
        ("chop moved", "chop moved"),
        ("[f]", "finessed"),
        ("[f] y2, y3", "one of Y2 Y3; note: [f] y2, y3; finessed"),
        ("!1", "2/3/4/5"),
        ("red herring", "unknown; note: red herring"),
        ("z9", "unknown; note: z9"),
    ],
)
def test_notes_change_the_faces_of_cards_that_are_not_seen(noted, text, name):
    """As on hanab.live; what is not such a note is only shown."""
    noted.get_by_role("textbox", name="note").fill(text)
    expect(noted.locator("[data-order='0']")).to_have_attribute("aria-label", re.compile(re.escape(name)))


@pytest.fixture(scope="module")
def noted(chromium, address):
    """A page on which somebody writes a note on their oldest card."""
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(address)
        order(page, address, [{}, {"agent": "piers"}], seed="4")
        page.locator("[data-order='0']").click()
        yield page


@compiled_only
@pytest.mark.parametrize("settings", VARIANTS, ids=short)
def test_the_page_knows_the_rules(visit, address, settings):
    """In a study, the page works out the legal moves of every turn: they are those of the engine."""
    game, rng, expected = Game(settings, 7), random.Random(7), []
    while not game.is_over:
        moves = choices(game.view())
        expected.append(sorted((one.type, one.target, one.value) for one in moves))
        game.push(rng.choice(game.legal_moves))
    rules = {name: getattr(settings, name) for name in settings.__struct_fields__}
    events = msgspec.to_builtins(face_up(game, NOTHING))
    found = visit(address).evaluate(
        """async ([rules, events]) => {
            const { legalAt, timeline } = await import("/page/game.js");
            const plain = (move) => [move.type, move.target, move.value];
            return timeline(rules, events).map((one) => legalAt(rules, one).map(plain));
        }""",
        [rules, events],
    )
    assert [sorted(map(tuple, moves)) for moves in found] == [*expected, []]


def test_all_of_the_page_is_small():
    files = [path for path in PAGE.rglob("*") if path.suffix in (".js", ".mjs", ".css", ".html")]
    assert 10 < len(files) < 20
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < 100_000


def test_a_page_goes_on_when_its_server_comes_back(visit, tmp_path):
    with serving(TableSessions(Lobby(tmp_path, Bots()))) as address:
        page = visit(address)
        order(page, address, [{}, {"agent": "piers"}])
        page.keyboard.press("a")
        page.keyboard.press("1")
        expect(page.locator(".log li")).to_have_count(2)
    expect(page.get_by_role("alert")).to_contain_text("connection is lost")
    with serving(TableSessions(Lobby(tmp_path, Bots())), int(address.rpartition(":")[2])):
        expect(page.get_by_role("alert")).to_have_count(0)
        expect(page).to_have_title(YOURS)
        page.keyboard.press("a")
        page.keyboard.press("1")
        expect(page.locator(".log li")).to_have_count(4)


def test_the_end_is_shown_before_the_hidden_cards_are(visit, address):
    """What the page is told comes in two messages; the second may be late, or never come."""
    page = visit(address)

    def pass_on(here):
        there = here.connect_to_server()
        there.on_message(lambda text: None if '"type":"over"' in text else here.send(text))

    page.route_web_socket(re.compile("/table/"), pass_on)
    order(page, address, [{}, {"agent": "piers"}], rules={"lives": 1}, seed="2")
    while page.get_by_role("status").filter(has_text="points").count() == 0:
        expect(page).to_have_title(re.compile("Your turn|game is over|life is lost"))
        before = turns(page)
        page.keyboard.press("a")
        page.keyboard.press("1")
        expect(page.get_by_role("slider", name="turn")).not_to_have_attribute("max", str(before))
    expect(page.get_by_role("status")).to_contain_text("The last life is lost")


@pytest.mark.parametrize("players", [2, 5])
def test_a_study_fits_a_phone_and_every_control_has_a_name(visit, address, players):
    _, record = played("piers", players=players)
    page = visit(address, 390, 844, has_touch=True)
    bring(page, address, dumps(record).decode())
    page.keyboard.press("Home")
    page.locator(".hand.mover .card").first.tap()
    page.get_by_role("button", name="Play a").tap()
    expect(lines(page)).to_have_count(2)
    page.locator(".hand .card.picked, .hand .card").first.tap()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    for control in page.locator("button, input, select").all():
        assert control.evaluate("one => one.ariaLabel || one.innerText || one.labels?.[0]?.innerText"), control


def test_a_study_goes_on_when_its_server_comes_back(visit, tmp_path):
    with serving(TableSessions(Lobby(tmp_path, Bots()))) as address:
        page = visit(address)
        bring(page, address, PERFECT)
        page.keyboard.press("Home")
        page.keyboard.press("a")
        page.keyboard.press("1")
        expect(lines(page)).to_have_count(2)
    expect(page.get_by_role("alert")).to_contain_text("connection is lost")
    with serving(TableSessions(Lobby(tmp_path, Bots())), int(address.rpartition(":")[2])):
        expect(page.get_by_role("alert")).to_have_count(0)
        expect(lines(page)).to_have_count(2)
        page.keyboard.press("a")
        page.keyboard.press("1")
        expect(page.locator(".log li")).to_have_count(2)
