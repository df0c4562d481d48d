"""The server of tables: what it says, to whom, and what it survives."""

import errno
import itertools
import json
import random
import re
import secrets

import msgspec
import pytest
from conftest import several

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from browser import PERSON, PIERS, TABLES, Browser, client_of, discard_or_hint, open_table
from starlette.websockets import WebSocketDisconnect
from twins import random_game, twin

from tamaya.bridges.protocol import Choice
from tamaya.engine.settings import Settings
from tamaya.game.game import Game
from tamaya.game.hanab_live import Record
from tamaya.game.notation import Move
from tamaya.game.replay import from_record, records
from tamaya.play.tables import lobby
from tamaya.play.tables.bots import OFFERED, Bots
from tamaya.play.tables.lobby import Lobby
from tamaya.play.tables.messages import LONGEST, BadMessage, Order, Place, read_message
from tamaya.play.web import clients
from tamaya.play.web import server as app
from tamaya.play.web.same_origin import NOT_ALLOWED, is_own
from tamaya.play.web.sockets import TOO_BIG, TRY_AGAIN
from tamaya.play.web.table_sessions import TableSessions
from tamaya.policies.language import AgentError


@pytest.fixture
def sessions(tmp_path, monkeypatch):
    monkeypatch.setattr(clients, "BURST", 1e9)
    return TableSessions(Lobby(tmp_path, Bots()))


@pytest.fixture
def client(sessions):
    with client_of(sessions) as client:
        yield client


def test_a_whole_game_is_played_over_the_wire_and_kept(client, sessions):
    table = open_table(client, [PERSON, PIERS, PIERS], seed="6")
    person = Browser(client, table["id"], table["token"])
    assert person.room["seat"] == 0
    assert person.room["seats"][1]["convention"]
    person.play_on(discard_or_hint)
    game = from_record(msgspec.convert(person.over, Record))
    assert game.is_over
    assert game.deck == Game(3, 6).deck
    (kept,) = records(sessions.lobby.games)
    assert from_record(kept).moves == game.moves
    assert kept.tamaya.agents == ["person", "piers", "piers"]
    assert kept.tamaya.seed == 6


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_seat_is_never_told_its_own_cards_or_the_deck(client, players):
    """Read off the wire for whole games: no draw of its own shows a card, and nothing is shown before it is drawn."""
    for seed in range(1_000_003, 1_000_003 + several(3, 1)):
        mine = seed % players
        seats = [PERSON if seat == mine else PIERS for seat in range(players)]
        table = open_table(client, seats, mine, seed=str(seed))
        person = Browser(client, table["id"], table["token"])
        person.play_on(discard_or_hint)
        before = [text for text in person.wire if '"type":"over"' not in text]
        deck = Game(players, seed).deck
        draws = [event for event in person.events if event["type"] == "draw"]
        assert [event["order"] for event in draws] == list(range(len(draws)))
        for event in draws:
            card = (-1, -1) if event["playerIndex"] == mine else tuple(deck[event["order"]])
            assert (event["suitIndex"], event["rank"]) == card
        assert not re.search(rf"{seed}|seed|deck", "".join(before))


def test_deals_that_differ_only_in_hidden_cards_send_the_same_bytes(client, sessions, monkeypatch):
    """To the seat, in the middle of games of every length; and to spectators, whatever is in the hands."""
    rng, differences = random.Random(3), 0
    for _ in range(several(60, 5)):
        game, seat = random_game(rng)
        if game.is_over:
            continue
        other, wires = twin(game, seat, rng), []
        differences += game.hands[seat] != other.hands[seat]
        for one in (game, other):
            tokens = itertools.count()
            monkeypatch.setattr(secrets, "token_urlsafe", lambda size, tokens=tokens: f"secret {next(tokens)}")
            table = sessions.lobby.open(Order([Place()] * game.players, seat))
            table.game = one
            person, watching = Browser(client, table.id, table.seats[seat].token), Browser(client, table.id)
            wires.append([person.wire, watching.wire])
            person.leave()
            watching.leave()
        assert wires[0] == wires[1]
    assert differences > several(20, 1)


def test_spectators_see_what_everybody_sees_and_all_once_it_is_over(client):
    table = open_table(client, [PERSON, PIERS], seed="5")
    watching = Browser(client, table["id"])
    person = Browser(client, table["id"], table["token"])
    watching.say("act", turn=0, move={"type": 0, "target": 0})
    assert "only watch" in watching.hear("trouble")["text"]
    watching.say("why", turn=0)
    assert "when the game is over" in watching.hear("trouble")["text"]
    assert not watching.room["token"]
    assert not watching.room["invitations"]
    person.play_on(discard_or_hint)
    while not watching.over:
        watching.hear()
    assert not watching.legal
    assert all(event["suitIndex"] == -1 for event in watching.events if event["type"] == "draw")
    assert len(watching.over["deck"]) == 50


def test_a_table_of_bots_is_shown_face_up(client):
    table = open_table(client, [PIERS, PIERS], -1, seed="5")
    watching = Browser(client, table["id"])
    while not watching.over:
        watching.hear()
    deck = Game(2, 5).deck
    drawn = [(event["suitIndex"], event["rank"]) for event in watching.events if event["type"] == "draw"]
    assert drawn == [tuple(card) for card in deck[: len(drawn)]]


def test_what_is_told_bit_by_bit_is_what_is_told_at_once(client):
    table = open_table(client, [PERSON, PIERS, PIERS])
    person = Browser(client, table["id"], table["token"])
    for _ in range(4):
        person.wait_for_turn()
        person.act(discard_or_hint(person.legal))
        person.legal = []
    person.wait_for_turn()
    later = Browser(client, table["id"], table["token"])
    assert later.events == person.events
    assert later.legal == person.legal


def test_a_reload_keeps_the_seat_and_an_invitation_works_once(client):
    table = open_table(client, [PERSON, PERSON])
    first = Browser(client, table["id"], table["token"])
    invitation = table["invitations"][1]
    assert first.room["invitations"] == {"1": invitation}
    second = Browser(client, table["id"], invitation)
    assert second.room["seat"] == 1
    assert second.room["token"] not in (invitation, table["token"])
    assert Browser(client, table["id"], invitation).room["seat"] == -1, "it was used"
    second.leave()
    assert Browser(client, table["id"], second.room["token"]).room["seat"] == 1
    assert Browser(client, table["id"], "guess").room["seat"] == -1
    first.hear_until(lambda: not first.room["invitations"])


def test_two_people_see_each_others_cards_and_moves(client):
    table = open_table(client, [{"name": "Ann"}, {"name": "Ben"}], seed="9")
    first = Browser(client, table["id"], table["token"])
    second = Browser(client, table["id"], table["invitations"][1])
    assert [seat["name"] for seat in second.room["seats"]] == ["Ann", "Ben"]
    assert not second.legal
    second.act({"type": 1, "target": 5})
    assert "not your turn" in second.hear("trouble")["text"]
    first.act({"type": 0, "target": 0})
    second.wait_for_turn()
    played = next(event for event in second.events if event["type"] in ("play", "discard"))
    assert (played["suitIndex"], played["rank"]) == Game(2, 9).deck[0]


def test_a_bot_takes_over_on_request_and_gives_the_seat_back(client):
    table = open_table(client, [PERSON, PERSON, PIERS], delay=0)
    first = Browser(client, table["id"], table["token"])
    second = Browser(client, table["id"], table["invitations"][1])
    first.say("replace", seat=1, agent="smartbot")
    assert "is here" in first.hear("trouble")["text"]
    first.say("replace", seat=2, agent="smartbot")
    assert "no person" in first.hear("trouble")["text"]
    second.leave()
    first.hear_until(lambda: not first.room["seats"][1]["isHere"])
    first.say("replace", seat=1, agent="smartbot")
    first.act(discard_or_hint(first.legal))
    first.legal = []
    first.wait_for_turn()
    assert first.turn == 3
    assert first.room["seats"][1]["agent"] == "smartbot"
    back = Browser(client, table["id"], second.room["token"])
    back.say("act", turn=3, move={"type": 0, "target": 0})
    assert "a bot plays for you" in back.hear("trouble")["text"]
    back.say("return")
    back.hear_until(lambda: not back.room["seats"][1]["agent"])
    first.act(discard_or_hint(first.legal))
    back.wait_for_turn()


def test_bots_explain_their_moves_when_the_game_is_over_and_not_before(client):
    table = open_table(client, [PERSON, PIERS, {"agent": "search(smartbot, iterations=400)"}], seed="6")
    person = Browser(client, table["id"], table["token"])
    person.act(person.legal[-1])
    person.legal = []
    person.wait_for_turn()
    person.say("why", turn=1)
    assert "when the game is over" in person.hear("trouble")["text"]
    person.play_on(lambda legal: legal[0])
    person.say("why", turn=1)
    assert "Its rule" in person.hear("reason")["lines"][0]
    person.say("why", turn=2)
    reason = person.hear("reason")
    assert [one["move"] for one in reason["candidates"] if one["move"] == reason["made"]]
    assert any("smartbot" in line for line in reason["lines"])
    for turn in (0, 999):
        person.say("why", turn=turn)
        assert person.hear("trouble")["text"]
    spectator = Browser(client, table["id"])
    spectator.say("why", turn=1)
    assert "Its rule" in spectator.hear("reason")["lines"][0]


def test_a_game_is_not_broken_off_by_a_move(client, sessions):
    table = open_table(client, [PERSON, PERSON])
    person = Browser(client, table["id"], table["token"])
    person.act({"type": 4, "target": 0})
    assert "to its end" in person.hear("trouble")["text"]
    assert sessions.lobby.tables[table["id"]].game.turn == 0


def test_the_same_deal_or_another_is_dealt_again(client, sessions):
    table = open_table(client, [PERSON, PIERS], seed="11")
    person = Browser(client, table["id"], table["token"])
    deal = [event for event in person.events if event["type"] == "draw"]
    person.act(discard_or_hint(person.legal))
    person.say("again", fresh=False)
    person.hear_until(lambda: person.game == 2)
    assert [event for event in person.events if event["type"] == "draw"] == deal
    person.say("again", fresh=True)
    person.hear_until(lambda: person.game == 3)
    assert [event for event in person.events if event["type"] == "draw"] != deal
    shared = open_table(client, [PERSON, PERSON])
    person = Browser(client, shared["id"], shared["token"])
    person.say("again")
    assert "others play it too" in person.hear("trouble")["text"]


@pytest.mark.parametrize(
    "agent",
    [
        "os:system",
        "pipe(touch /tmp/owned)",
        "hle(this:That)",
        "openspiel(this:that)",
        "evalfn(weights.json)",
        "search(os:system)",
        "rules(PlaySafeCard)",
        "information(faithful)",
        "cheater",
        "nobody",
        "ris(iterations=1000000000)",
    ],
)
def test_a_browser_cannot_make_an_agent_that_is_not_offered(client, agent, monkeypatch):
    monkeypatch.setattr("tamaya.play.tables.bots.make_agent", lambda text: pytest.fail(f"{text} was made"))
    answer = client.post("/tables", json={"seats": [{}, {"agent": agent}], "mine": 0})
    assert answer.status_code == 400
    assert "is offered here" in answer.json()["error"]
    table = open_table(client, [PERSON, PERSON])
    person = Browser(client, table["id"], table["token"])
    person.say("replace", seat=0, agent=agent)
    assert "is offered here" in person.hear("trouble")["text"]


def test_the_user_of_the_server_may_offer_any_agent(own_module):
    bots = Bots(["own_agents:counting", "piers"])
    assert list(bots.offered)[:2] == ["own_agents:counting", "piers"]
    bots.check("own_agents:counting", Settings(players=3))
    for text in ("pierz", "cheater", "piers+iggi"):
        with pytest.raises(AgentError):
            Bots([text])


def test_every_offered_bot_plays_and_says_its_convention(client):
    for bot in OFFERED[: several(len(OFFERED), 1)]:
        assert 20 < len(bot.convention) < 300
        table = open_table(client, [PERSON, {"agent": bot.agent}, {"agent": bot.agent}])
        person = Browser(client, table["id"], table["token"])
        person.act(person.legal[-1])
        person.legal = []
        person.wait_for_turn()
        assert person.room["seats"][1]["agent"] == bot.agent, "it had no move"


def test_a_bot_without_a_move_is_replaced_and_the_game_goes_on(client, sessions, own_module):
    sessions.lobby.bots.offered["own_agents:quitting"] = OFFERED[0]
    table = open_table(client, [{"agent": "own_agents:quitting"}] * 2, -1)
    watching = Browser(client, table["id"])
    while not watching.over:
        watching.hear()
    assert {seat["agent"] for seat in watching.room["seats"]} == {"piers"}


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ({"seats": [{}]}, "seats"),
        ({"seats": [{}] * 6}, "seats"),
        ({"seats": [{}, {}], "rules": {"colours": 99}}, "colours"),
        ({"seats": [{}, {}], "rules": {"shuffle": 1}}, "shuffle"),
        ({"seats": [{}, {}], "seed": "x"}, "seed"),
        ({"seats": [{}, {}], "seed": "99999999999999999999"}, "seed"),
        ({"seats": [{}, {}], "delay": -1}, "delay"),
        ({"seats": [{}, {"name": "x" * 99}]}, "name"),
        ({"seats": [{}, {}], "path": "/etc"}, "path"),
    ],
)
def test_orders_that_make_no_sense_are_refused_with_the_reason(client, order, words, sessions):
    answer = client.post("/tables", json=order)
    assert answer.status_code == 400
    assert words in answer.json()["error"]
    assert not sessions.lobby.tables


def test_other_rules_are_played(client):
    rules = {"colours": 3, "ranks": 4, "hand_size": 3, "lives": 1, "empty_hints": True}
    table = open_table(client, [PERSON, PIERS], rules=rules)
    person = Browser(client, table["id"], table["token"])
    assert person.room["rules"].items() >= {"players": 2, "hint_tokens": 8, **rules}.items()
    assert sum(event["type"] == "draw" for event in person.events) == 6
    person.play_on(discard_or_hint)


def test_the_number_of_tables_is_limited_and_finished_ones_make_room(client, sessions, monkeypatch):
    monkeypatch.setattr(lobby, "MOST_TABLES", 2)
    first, second = open_table(client, [PERSON, PERSON]), open_table(client, [PIERS, PIERS], -1)
    answer = client.post("/tables", json={"seats": [{}, {}]})
    assert "in use" in answer.json()["error"]
    watching = Browser(client, second["id"])
    while not watching.over:
        watching.hear()
    watching.leave()
    third = open_table(client, [PERSON, PERSON])
    assert set(sessions.lobby.tables) == {first["id"], third["id"]}


def test_tables_are_not_opened_too_fast(client):
    answers = [client.post("/tables", json={"seats": [{}, {}]}).status_code for _ in range(app.NEW_TABLES + 5)]
    assert answers[: app.NEW_TABLES] == [200] * app.NEW_TABLES
    assert answers[-1] == 429


def test_too_many_browsers_and_too_many_or_too_long_messages_are_shown_the_door(client, monkeypatch):
    table = open_table(client, [PERSON, PERSON])
    monkeypatch.setattr(clients, "MOST_AT_PLACE", 1)
    first = Browser(client, table["id"], table["token"])
    with client.websocket_connect(f"{TABLES}/{table['id']}") as socket:
        socket.send_text('{"type": "sit"}')
        assert "too many browsers" in socket.receive_text()
    first.socket.send_text("x" * (LONGEST + 1))
    with pytest.raises(WebSocketDisconnect) as closed:
        first.hear_until(lambda: False)
    assert closed.value.code == TOO_BIG
    monkeypatch.setattr(clients, "BURST", 5)
    monkeypatch.setattr(clients, "PER_SECOND", 0.001)
    second = Browser(client, table["id"], table["token"])
    for _ in range(6):
        second.say("return")
    with pytest.raises(WebSocketDisconnect) as closed:
        second.hear_until(lambda: False)
    assert closed.value.code == TRY_AGAIN
    with pytest.raises(BadMessage):
        read_message("[" * LONGEST)


def fuzzed(rng, turn):
    """A message that makes no sense, or hardly any."""
    valid = [
        {"type": "act", "turn": turn, "move": {"type": rng.randrange(-2, 7), "target": rng.randrange(-3, 60)}},
        {"type": "act", "turn": rng.randrange(-5, 5), "move": {"type": 2, "target": 9, "value": 10**30}},
        {"type": "sit", "token": "x" * rng.randrange(300)},
        {"type": "replace", "seat": rng.randrange(-9, 9), "agent": rng.choice(["piers(", "os:x", "piers+piers", ""])},
        {"type": "pace", "seconds": rng.choice([-1, 1e300, "soon", None])},
        {"type": "why", "turn": rng.randrange(-9, 9)},
        {"type": rng.choice(["", "room", "news", "over", "__class__"])},
        [[[]]],
        None,
    ]
    text = json.dumps(rng.choice(valid))
    for _ in range(rng.randrange(3)):
        place = rng.randrange(len(text) + 1)
        text = text[:place] + rng.choice(["", '"', "}", "\\u0000", "é", "1e999", "[" * 50]) + text[place + 1 :]
    return text


def test_ten_thousand_fuzzed_messages_lose_no_table(client, sessions):
    """Not the one to which they are said, nor another; a move that happens to be legal counts."""
    rng = random.Random(16)
    table, other = open_table(client, [PERSON, PERSON]), open_table(client, [PERSON, PIERS])
    person, beside = Browser(client, table["id"], table["token"]), Browser(client, other["id"], other["token"])
    for number in range(several(10_000, 300)):
        if number % 50:
            person.socket.send_text(fuzzed(rng, 0))
        else:
            person.socket.send_bytes(rng.randbytes(20))
    room = sessions.lobby.tables[table["id"]]
    person.say("pace", seconds=3.5)
    person.hear_until(lambda: person.room["delay"] == 3.5)
    assert room.game.turn <= 1
    if room.game.turn == 0:
        person.act(person.legal[0])
        person.hear_until(lambda: person.turn == 1)
    beside.act(discard_or_hint(beside.legal))
    beside.legal = []
    beside.wait_for_turn()
    again = Lobby(sessions.lobby.folder, Bots())
    assert again.tables[table["id"]].game.moves == room.game.moves


def test_a_killed_server_resumes_every_table(client, sessions, tmp_path):
    """As its journals are at any time, even if the last line is cut short."""
    first, second = open_table(client, [PERSON, PERSON, PIERS], seed="4"), open_table(client, [PERSON, PIERS])
    person = Browser(client, first["id"], first["token"])
    friend = Browser(client, first["id"], first["invitations"][1])
    for one in (person, friend):
        one.wait_for_turn()
        one.act(discard_or_hint(one.legal))
    person.legal = []
    person.wait_for_turn()
    person.say("replace", seat=0, agent="smartbot")
    person.hear_until(lambda: person.room["seats"][0]["agent"])
    friend.hear_until(lambda: friend.turn == 4)  # nothing more is written until the friend moves
    before = sessions.lobby.tables[first["id"]]
    assert before.game.turn >= 3
    with open(before.journal.path, "ab") as file:
        file.write(b'{"entry":"made","mo')
    (tmp_path / "broken.table").write_text('{"entry":"made"')
    opened = sessions.lobby.tables[second["id"]].journal.path.read_text()
    for number, entry in enumerate(["{}", '{"entry":"dropped","line":1}', '{"entry":"replaced","seat":7}']):
        (tmp_path / f"broken{number}.table").write_text(opened + entry + "\n")
    again = Lobby(tmp_path, Bots())
    assert set(again.tables) == {first["id"], second["id"]}
    assert all("broken" in complaint for complaint in again.unreadable)
    assert len(again.unreadable) == 4
    after = again.tables[first["id"]]
    assert after.game.moves == before.game.moves[: len(after.game.moves)]
    assert len(after.game.moves) >= 3
    assert after.seats[0].agent == "smartbot"
    assert after.find(friend.room["token"]) == 1
    assert after.find(first["invitations"][1]) == -1
    assert Lobby(tmp_path, Bots()).tables[first["id"]].game.moves == after.game.moves


def test_a_full_disk_is_told_and_no_move_counts_that_is_not_written_down(client, sessions, monkeypatch):
    table = open_table(client, [PERSON, PIERS])
    room = sessions.lobby.tables[table["id"]]
    person = Browser(client, table["id"], table["token"])

    def fail(entry):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(room.journal, "append", fail)
        person.act(person.legal[-1])
        assert "No space left" in person.hear("trouble")["text"]
        assert room.game.turn == 0
    person.act(person.legal[-1])
    person.hear_until(lambda: person.turn == 2)
    with monkeypatch.context() as full:
        full.setattr(room.journal, "append", lambda entry: None if room.game.seat == 0 else fail(entry))
        person.act(person.legal[-1])
        assert "the bots cannot move" in person.hear("trouble")["text"]
        assert room.game.turn == 3
    person.leave()
    again = Browser(client, table["id"], table["token"])
    again.wait_for_turn()
    assert again.turn == 4


def test_a_finished_game_is_kept_once(tmp_path):
    place = Lobby(tmp_path, Bots())
    table = place.open(read_message(b'{"seats":[{},{}],"seed":"3"}', Order))
    while not table.game.is_over:
        table.play(table.game.seat, table.game.turn, Choice(0, table.game.orders[table.game.seat][0]))
    Lobby(tmp_path, Bots())
    Lobby(tmp_path, Bots())
    assert len(list(records(place.games))) == 1
    assert (place.games.stat().st_mode & 0o777) == 0o600


def test_only_pages_of_the_server_itself_are_answered(client):
    table = open_table(client, [PERSON, PERSON])
    assert client.get("/").status_code == 200
    assert client.get("/", headers={"host": "evil.example"}).status_code == 403
    evil = {"origin": "http://evil.example"}
    assert client.post("/tables", json={"seats": [{}, {}]}, headers=evil).status_code == 403
    assert client.post("/tables", json={"seats": [{}, {}]}, headers={"origin": "http://localhost"}).status_code == 200
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        client.websocket_connect(f"{TABLES}/{table['id']}", headers=evil),
    ):
        pass
    assert closed.value.code == NOT_ALLOWED
    assert is_own("127.0.0.1:80")
    assert is_own("[::1]:7425")
    assert is_own("192.168.1.2")
    for name in ("", "evil.example", "localhost.evil.example", "[", "127.0.0.1.evil.example:80"):
        assert not is_own(name), name
    assert is_own("box.lan:7425", "box.lan")
    assert not is_own("", "")


def test_a_browser_that_asks_for_no_table_is_told(client):
    with client.websocket_connect(f"{TABLES}/nowhere") as socket:
        socket.send_text('{"type": "sit"}')
        assert "no such table" in socket.receive_text()
    table = open_table(client, [PERSON, PERSON])
    with client.websocket_connect(f"{TABLES}/{table['id']}") as socket:
        socket.send_text('{"type": "return"}')
        assert "who you are" in socket.receive_text()


def test_the_page_is_small_and_nothing_else_is_served(client):
    index = client.get("/")
    assert "default-src 'self'" in index.headers["content-security-policy"]
    assert client.get("/page/../app.py").status_code == 404
    assert client.get("/page/%2e%2e/app.py").status_code == 404
    tag = client.get("/page/index.html").headers["etag"]
    assert client.get("/page/index.html", headers={"if-none-match": tag}).status_code == 304


def test_moves_have_the_numbers_of_hanab_live(client):
    table = open_table(client, [PERSON, PERSON], seed="1")
    person = Browser(client, table["id"], table["token"])
    game = Game(2, 1)
    assert {(one["type"], one["target"], one["value"]) for one in person.legal} == {
        (int(move.kind), game.orders[0][move.target] if move.kind < 2 else move.target, move.value)
        for move in game.legal_moves
    }
    assert Move.play(0) in game.legal_moves
