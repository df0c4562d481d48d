"""Studies of recorded games: who may read them, what can be brought, the lines that people and bots try."""

import gzip
import json
import random
import threading

import msgspec
import pytest
from conftest import compiled_only, several

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from browser import PERSON, PIERS, Browser, Connected, client_of, discard_or_hint, open_table
from starlette.testclient import TestClient
from test_links import PERFECT
from test_web import fuzzed

from tamaya.agents.registry import make_agent
from tamaya.arena.analysis.game_analysis import TurnAnalysis, make_analyst
from tamaya.game.game import Game
from tamaya.game.hanab_live import Action, Record
from tamaya.game.replay import dumps, from_record, link, to_record
from tamaya.play.tables import study, study_analysis
from tamaya.play.tables import study_library as library
from tamaya.play.tables.bot_moves import bot_move
from tamaya.play.tables.bots import Bots
from tamaya.play.tables.lobby import Lobby
from tamaya.play.tables.messages import LONGEST, Refused
from tamaya.play.tables.study_library import Library
from tamaya.play.web import clients
from tamaya.play.web import server as app
from tamaya.play.web import study_sessions as studies
from tamaya.play.web.sockets import TOO_BIG
from tamaya.play.web.table_sessions import TableSessions


class Reading(Connected):
    """A browser at a study, which keeps what it is told."""

    def __init__(self, client, study_id):
        super().__init__(client, f"ws://localhost/study/{study_id}")
        self.about, self.lines = None, {}
        self.hear("line")

    def keep(self, message):
        if message["type"] == "study":
            self.about = message
        elif message["type"] == "line":
            old = self.lines.get(message["line"], {"events": [], "makers": []})
            joined = {key: old[key] + message[key] for key in ("events", "makers")}
            self.lines[message["line"]] = {**message, **joined}
        elif message["type"] == "gone":
            del self.lines[message["line"]]

    def ask(self, kind, answer, **fields):
        self.say(kind, **fields)
        return self.hear(answer)

    def wait(self):
        """Until nothing is worked out."""
        while self.about["busy"]:
            self.hear("study")

    def turns(self, line=0):
        return [event["num"] for event in self.lines[line]["events"] if event["type"] == "turn"][-1]


@pytest.fixture
def sessions(tmp_path, monkeypatch):
    monkeypatch.setattr(clients, "BURST", 1e9)
    monkeypatch.setattr(app, "NEW_TABLES", 10**6)
    return TableSessions(Lobby(tmp_path, Bots()))


@pytest.fixture
def client(sessions):
    with client_of(sessions) as client:
        yield client


def bring(client, content="", **query):
    """The answer to a game that is brought."""
    return client.post("/studies", params=query, content=content).json()


def read(client, content="", **query):
    """A browser at the study of a game that is brought."""
    return Reading(client, bring(client, content, **query)["id"])


def played(agent="piers", players=3, seed=5, moves=200):
    """A game of bots, and its record."""
    game, player = Game(players, seed), [make_agent(agent).sit_down() for _ in range(players)]
    while not game.is_over and game.turn < moves:
        game.push(player[game.seat].act(game.view()))
    return game, to_record(game, [agent] * players)


def test_a_link_is_replayed_with_all_cards_shown_and_the_names_of_its_suits(client):
    reading = read(client, PERFECT)
    assert reading.about["letters"] == "RYGBP"
    assert reading.about["colours"][4] == "purple"
    assert [seat["name"] for seat in reading.about["seats"]] == ["Alice", "Bob", "Cathy"]
    game = from_record(msgspec.convert(reading.about["record"], Record))
    draws = [event for event in reading.lines[0]["events"] if event["type"] == "draw"]
    assert [(event["suitIndex"], event["rank"]) for event in draws] == [*map(tuple, game.deck[: len(draws)])]
    assert reading.turns() == 54
    assert reading.ask("share", "shared", line=0)["link"] == PERFECT


@pytest.mark.parametrize("as_file", [False, True])
def test_every_format_of_our_commands_is_read(client, as_file):
    _, record = played()
    one, several_games = dumps(record), b"\n".join([dumps(record)] * 3)
    deck = [[card.suit, card.rank - 1] for card in record.deck]
    jaxmarl = json.dumps({"deck": deck, "actions": [5, 5], "num_players": 2}).encode()
    for content in (one, jaxmarl, PERFECT.encode()):
        assert bring(client, gzip.compress(content) if as_file else content)["id"]
    answer = bring(client, gzip.compress(several_games) if as_file else several_games)
    assert [one["game"] for one in answer["games"]] == [1, 2, 3]
    assert "points" in answer["games"][0]["ending"]
    assert bring(client, several_games, game=2)["id"]
    assert "no game 4" in bring(client, several_games, game=4)["error"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "empty"),
        ("hello", "not a game"),
        ("{}", "not a game"),
        ("https://hanab.live/replay/123", "export/123"),
        ("https://hanab.live/shared-replay-json/315aaa", "damaged"),
        (b"\x1f\x8b damaged", "damaged"),
        (gzip.compress(b" " * (1 << 21), mtime=0), "unpacked"),
        (b"x" * ((1 << 20) + 1), "1,048,576 bytes"),
        (b"[" * 100_000, "not a game"),
        (b"\x02\0\0\0\0\0\0\0{}", "decks"),
    ],
)
def test_what_is_not_a_game_is_refused_with_the_reason(client, content, words, sessions):
    assert words in bring(client, content)["error"]
    assert not [*sessions.lobby.folder.glob("*.study")]


def test_a_game_that_breaks_the_rules_or_is_too_large_is_refused(client):
    _, record = played()
    record.actions.insert(3, Action(3, 0, 9))
    assert "action 4" in bring(client, dumps(record))["error"]
    _, record = played()
    record.notes = [["x" * 70_000], [], []]
    assert "65,536 bytes" in bring(client, dumps(record))["error"]


def test_moves_of_a_person_make_lines_that_are_kept(client, sessions):
    game, record = played()
    reading = read(client, dumps(record))
    (first, second), hint = Game(3, 5).orders[0][:2], {"type": 3, "target": 1, "value": 1}
    assert reading.ask("try", "shown", line=0, turn=0, move={"type": 0, "target": first}) | {"type": ""} == {
        "type": "",
        "line": 1,
        "turn": 1,
    }
    assert reading.turns(0) == game.turn
    assert (reading.lines[1]["parent"], reading.lines[1]["turn"], reading.turns(1)) == (0, 0, 1)
    held = [event["order"] for event in reading.lines[1]["events"] if event.get("playerIndex") == 1][:5]
    reading.ask("try", "shown", line=1, turn=1, move={"type": 0, "target": held[0]})
    assert reading.turns(1) == 2, "a move at the end of a branch goes on with it"
    reading.ask("try", "shown", line=1, turn=0, move={"type": 0, "target": second})
    assert (reading.lines[2]["parent"], reading.turns(2)) == (1, 1)
    for line, turn, move, words in [
        (0, 0, {"type": 1, "target": first}, "discard"),
        (0, 0, {"type": 0, "target": 49}, "not in its hand"),
        (0, 0, {"type": 4, "target": 0}, "to its end"),
        (0, game.turn, {"type": 0, "target": first}, "over"),
        (0, 999, hint, "no turn 999"),
        (9, 0, hint, "no line 9"),
    ]:
        assert words in reading.ask("try", "trouble", line=line, turn=turn, move=move)["text"]
    assert "cannot be deleted" in reading.ask("drop", "trouble", line=0)["text"]
    reading.ask("drop", "gone", line=1)
    again = Reading(client, reading.about["id"])
    again.hear("line")
    assert set(again.lines) == {0, 2}
    resumed = Library(sessions.lobby.folder, Bots()).find(reading.about["id"])
    assert set(resumed.lines) == {0, 2}
    assert resumed.lines[2].game.moves == [Game(3).decode(Game(3, 5).orders[0].index(second))]


def test_the_bots_of_a_game_play_on_as_they_did(client):
    """The same bots from the same turn make the same moves, and others do not."""
    game, record = played("smartbot")
    reading = read(client, dumps(record))
    reading.ask("continue", "shown", line=0, turn=10, agents=["smartbot"])
    reading.wait()
    assert reading.lines[1]["events"] == reading.lines[0]["events"]
    assert reading.lines[1]["makers"] == ["smartbot"] * game.turn
    reading.ask("continue", "shown", line=0, turn=10, agents=["piers", "cautious", "piers"], moves=4)
    reading.wait()
    assert reading.lines[2]["makers"][10:] == ["cautious", "piers", "piers", "cautious"]
    assert reading.turns(2) == 14
    assert reading.lines[2]["events"] != reading.lines[0]["events"][: len(reading.lines[2]["events"])]
    reading.ask("continue", "shown", line=2, turn=14, agents=["piers"], moves=1)
    reading.wait()
    assert reading.turns(2) == 15
    assert "Its rule" in reading.ask("explain", "reason", line=2, turn=12)["lines"][0]


def test_bots_in_a_study_are_those_that_are_offered(client, monkeypatch):
    """Whatever the browser or the record says; no other text is made into an agent."""
    made = []
    monkeypatch.setattr("tamaya.play.tables.bots.make_agent", lambda text: made.append(text) or make_agent(text))
    _, record = played()
    record.tamaya.agents = ["os:system", "pipe(touch /tmp/owned)", "piers"]
    reading = read(client, dumps(record))
    assert reading.lines[0]["makers"][:3] == ["", "", "piers"]
    for agent in ("os:system", "cheater", "pipe(true)", "ris(iterations=1000000000)"):
        assert "is offered here" in reading.ask("continue", "trouble", line=0, turn=0, agents=[agent])["text"]
    assert "name one bot" in reading.ask("continue", "trouble", line=0, turn=0, agents=["piers"] * 2)["text"]
    assert "a person made" in reading.ask("explain", "trouble", line=0, turn=0)["text"]
    assert "no move" in reading.ask("explain", "trouble", line=0, turn=999)["text"]
    assert made == []


def test_playing_on_can_be_stopped_and_nothing_else_changes_meanwhile(client, monkeypatch):
    go_on = threading.Event()
    monkeypatch.setattr(studies, "bot_move", lambda player, view: go_on.wait(20) and bot_move(player, view))
    _, record = played()
    reading = read(client, dumps(record))
    reading.ask("continue", "shown", line=0, turn=0, agents=["piers"])
    move = {"type": 0, "target": 0}
    assert "stop that first" in reading.ask("try", "trouble", line=0, turn=0, move=move)["text"]
    assert "stop that first" in reading.ask("drop", "trouble", line=1)["text"]
    reading.say("stop")
    reading.wait()
    go_on.set()
    assert reading.turns(1) == 0
    reading.ask("try", "shown", line=0, turn=0, move=move)


def test_a_table_is_studied_when_its_game_is_over_and_not_before(client):
    table = open_table(client, [PERSON, PIERS], seed="5")
    person, refusals = Browser(client, table["id"], table["token"]), set()

    def choose(legal):
        refusals.add(client.post("/studies", params={"table": table["id"]}).text)
        return discard_or_hint(legal)

    person.play_on(choose)
    assert refusals == {'{"error":"a game can be studied when it is over"}'}
    assert "no such table" in bring(client, table="nowhere")["error"]
    reading = read(client, table=table["id"])
    assert reading.lines[0]["makers"][:4] == ["", "piers", "", "piers"]
    assert reading.about["record"]["deck"] == person.over["deck"]
    person.say("again", fresh=True)
    person.hear_until(lambda: person.game == 2)
    assert "when it is over" in bring(client, table=table["id"])["error"]


def test_the_end_of_a_game_comes_with_its_share_link(client):
    table = open_table(client, [PERSON, PIERS], seed="5")
    person = Browser(client, table["id"], table["token"])
    person.play_on(discard_or_hint)
    over = json.loads(next(text for text in person.wire if '"type":"over"' in text))
    assert over["link"] == link(from_record(msgspec.convert(over["record"], Record)))
    assert "link" not in "".join(text for text in person.wire if '"type":"over"' not in text)


def test_the_games_that_a_server_offers_can_be_studied(tmp_path):
    games = [played(seed=seed)[1] for seed in (1, 2)]
    place = Lobby(tmp_path, Bots())
    server = app.make_app(TableSessions(place), library=Library(tmp_path, place.bots, games))
    with TestClient(server, base_url="http://localhost") as client:
        offered = client.get("/lobby").json()["games"]
        assert [one["game"] for one in offered] == [1, 2]
        assert bring(client, offered=2)["id"]
        for wrong in ({"offered": 3}, {"offered": "x"}, {"path": "/etc"}, {"game": -5}):
            assert bring(client, **wrong)["error"]


def test_studies_are_limited(client, sessions, monkeypatch):
    _, record = played()
    monkeypatch.setattr(study, "MOST_LINES", 3)
    reading = read(client, dumps(record))
    orders = Game(3, 5).orders[0]
    for order in orders[:2]:
        reading.ask("try", "shown", line=0, turn=0, move={"type": 0, "target": order})
    assert (
        "at most 3 lines"
        in reading.ask("try", "trouble", line=0, turn=0, move={"type": 0, "target": orders[2]})["text"]
    )
    monkeypatch.setattr(studies, "MOST_BUSY", 0)
    assert "busy" in reading.ask("continue", "trouble", line=1, turn=1, agents=["piers"])["text"]
    monkeypatch.setattr(library, "MOST_STUDIES", 2)
    ids = [bring(client, dumps(record))["id"] for _ in range(4)]
    assert Reading(client, ids[0]).turns() > 0, "a study that was forgotten is read from its file"
    monkeypatch.setattr(clients, "MOST_AT_PLACE", 0)
    with client.websocket_connect(f"ws://localhost/study/{ids[1]}") as socket:
        assert "too many browsers" in socket.receive_text()


@pytest.mark.parametrize("name", ["nowhere", "a" * 11, "%00"])
def test_a_study_that_does_not_exist_is_told(client, name):
    with client.websocket_connect(f"ws://localhost/study/{name}") as socket:
        assert "no such study" in socket.receive_text()


@pytest.mark.parametrize("entry", ["{}", '{"entry":"kept"}', '{"entry":"dropped","line":9}'])
def test_a_study_that_is_damaged_is_told_without_its_place(client, sessions, entry):
    path = sessions.lobby.folder / f"{bring(client, PERFECT)['id']}.study"
    copy = path.with_stem("a" * 11)
    copy.write_text(path.read_text() + entry + "\n")
    with client.websocket_connect(f"ws://localhost/study/{copy.stem}") as socket:
        answer = socket.receive_text()
    assert "damaged" in answer
    assert str(sessions.lobby.folder) not in answer


def test_the_name_of_a_study_leads_nowhere_else(tmp_path):
    (tmp_path / "aaaaaaaa.study").write_text("{}")
    (tmp_path / "folder").mkdir()
    with pytest.raises(Refused):
        Library(tmp_path / "folder", Bots()).find("../aaaaaaaa")


def nonsense(rng):
    """A message to a study that makes no sense, or hardly any."""
    number = lambda: rng.choice([-5, 0, 1, 3, 999, 10**30, 0.5, None, "0"])  # noqa: E731
    move = {"type": rng.randrange(-2, 7), "target": rng.randrange(-3, 60), "value": rng.randrange(-1, 9)}
    asked = [
        {"type": "try", "line": number(), "turn": number(), "move": rng.choice([move, move, None, {}])},
        {"type": "continue", "line": number(), "turn": number(), "agents": rng.choice([[], ["os:x"], ["x"] * 9])},
        {"type": "drop", "line": number()},
        {"type": "explain", "line": number(), "turn": number()},
        {"type": rng.choice(["share", "analyse"]), "line": rng.choice([-1, 7, 10**9, None, "0"])},
        {"type": rng.choice(["stop", "study", "line", "sit", "act"])},
    ]
    return json.dumps(rng.choice(asked))


def test_ten_thousand_fuzzed_messages_and_files_lose_no_study(client, sessions):
    """Nor a table beside it; a move that happens to be legal counts."""
    rng = random.Random(17)
    _, record = played()
    content = dumps(record)
    reading, table = read(client, content), open_table(client, [PERSON, PIERS])
    person = Browser(client, table["id"], table["token"])
    for number in range(several(10_000, 300)):
        if number % 50 == 0:
            reading.socket.send_bytes(rng.randbytes(20))
        else:
            reading.socket.send_text(nonsense(rng) if rng.random() < 0.7 else fuzzed(rng, 0))
    for _ in range(several(300, 20)):
        place = rng.randrange(len(content))
        broken = content[:place] + rng.randbytes(rng.randrange(3)) + content[place + rng.randrange(4) :]
        answer = bring(client, broken)
        assert answer.keys() in ({"id"}, {"error"}), answer
    reading.socket.send_text('{"type":"share","line":0}')
    reading.hear("shared")
    assert reading.lines[0]["events"][-1]["num"] == len(record.actions)
    again = Reading(client, reading.about["id"])
    again.ask("share", "shared", line=0)
    resumed = Library(sessions.lobby.folder, Bots()).find(reading.about["id"])
    assert {number: line.game.turn for number, line in resumed.lines.items()} == {
        number: again.turns(number) for number in again.lines
    }
    person.act(discard_or_hint(person.legal))
    person.legal = []
    person.wait_for_turn()
    reading.socket.send_text("x" * (LONGEST + 1))
    with pytest.raises(Exception) as closed:  # noqa: PT011
        reading.hear("never")
    assert closed.value.code == TOO_BIG


def analysed(reading, line):
    """What a reader is told about the moves of a line, and the last message."""
    reading.say("analyse", line=line)
    moves, message = [], {"inReach": []}
    while len(moves) < reading.turns(line) or not message["inReach"]:
        message = reading.hear("analysis")
        assert message["since"] == len(moves)
        moves += message["moves"]
    reading.wait()
    return moves, message


@compiled_only
def test_a_line_is_analysed_turn_by_turn(client, monkeypatch):
    monkeypatch.setattr(study_analysis, "ITERATIONS", 100)
    game, record = played("outer", seed=2)
    reading = read(client, dumps(record))
    moves, last = analysed(reading, 0)
    found = [msgspec.convert(one["analysis"], TurnAnalysis) for one in moves]
    assert [one.turn for one in found] == [*range(game.turn)]
    assert [one.made for one in found] == [*map(str, game.moves)]
    assert "hints so far mean only what they say" in last["assumption"]
    assert last["points"] == game.strict_score
    assert len(last["inReach"]) == game.turn + 1
    assert last["inReach"][-1] == {"score": game.strict_score, "bound": game.strict_score}
    assert sum(one["mistakes"] for one in last["totals"]) == sum(one.is_mistake for one in found)
    assert any(one.chances for one in found), "near the end, chances are exact"
    for one, move in zip(found, moves, strict=True):
        assert {one.best, *(each.move for each in (*one.candidates, *one.chances))} == set(move["words"])
    other = next(move for move, one in zip(moves, found, strict=True) if one.best != one.made)
    turn = other["analysis"]["turn"]
    shown = reading.ask("try", "shown", line=0, turn=turn, move=other["best"])
    branch, _ = analysed(reading, shown["line"])
    assert branch[:-1] == moves[:turn], "what is known of the game is known of the line that leaves it"
    assert len(branch) == turn + 1
    late = Reading(client, reading.about["id"])
    assert late.hear("analysis")["moves"] == moves


@compiled_only
def test_the_analysis_takes_nobody_for_an_agent_that_is_not_offered(client, sessions, monkeypatch):
    asked = []
    monkeypatch.setattr(study_analysis, "ITERATIONS", 20)
    monkeypatch.setattr(
        study_analysis, "make_analyst", lambda agents, **more: asked.append(agents) or make_analyst(**more)
    )
    _, record = played(moves=3)
    record.tamaya.agents = ["os:system", "cautious", "piers"]
    reading = read(client, dumps(record))
    del sessions.lobby.bots.offered["cautious"]
    analysed(reading, 0)
    assert asked == [["", "", "piers"]]
