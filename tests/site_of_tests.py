"""A site like hanab.live, for tests: it deals, checks every move and hides from players their own cards."""

import asyncio
import contextlib
import json
import threading
import time

import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from tamaya.engine.settings import Settings
from tamaya.game.game import Game
from tamaya.game.hanab_live import Action
from tamaya.game.notation import Kind
from tamaya.game.replay import from_action


class Room:
    """A table of the site."""

    def __init__(self, number, players, variant="No Variant", password="", **options):
        self.number, self.players, self.variant, self.password = number, [*players], variant, password
        self.options = {"variantName": variant, **options}
        self.game, self.actions = None, []

    def deal(self, settings, seed):
        self.game, self.seed = Game(settings, seed), seed
        for player, orders in enumerate(self.game.orders):
            self.actions += [self.drawn(player, order) for order in orders]
        self.actions += self.standing()

    def drawn(self, player, order):
        card = self.game.deck[order]
        return {"type": "draw", "playerIndex": player, "order": order, "suitIndex": card.colour, "rank": card.rank}

    def standing(self):
        game = self.game
        ended = [{"type": "gameOver", "endCondition": 1 if game.lives else 2, "playerIndex": -1}] * game.is_over
        status = {
            "type": "status",
            "clues": game.hint_tokens,
            "score": game.score,
            "maxScore": 25,
            "doubleDiscard": False,
        }
        mover = -1 if game.is_over else game.seat
        return [status, *ended, {"type": "turn", "num": game.turn, "currentPlayerIndex": mover}]

    def move(self, player, data):
        """Makes a move and returns what happens; raises if it is not legal."""
        game = self.game
        if player != game.seat or game.is_over:
            raise ValueError("it is not your turn")
        move = from_action(game, Action(data["type"], data["target"], data.get("value", 0)))
        before, hands, orders = game.copy(), game.hands, game.orders
        game.push(move)
        if move.kind in (Kind.COLOUR, Kind.RANK):
            is_rank, target = move.kind == Kind.RANK, data["target"]
            touched = [
                order
                for card, order in zip(hands[target], orders[target], strict=True)
                if (card.rank if is_rank else card.colour) == data["value"] or (not is_rank and self.is_rainbow(card))
            ]
            clue = {"type": int(is_rank), "value": data["value"]}
            told = [
                {"type": "clue", "clue": clue, "giver": player, "target": target, "list": touched, "turn": game.turn}
            ]
        else:
            card, failed = hands[player][move.target], game.lives < before.lives
            is_played = move.kind == Kind.PLAY and not failed
            what = {"playerIndex": player, "order": data["target"], "suitIndex": card.colour, "rank": card.rank}
            told = [{"type": "play", **what} if is_played else {"type": "discard", **what, "failed": failed}]
            if failed:
                told.append({"type": "strike", "num": 3 - game.lives, "turn": game.turn, "order": data["target"]})
            if game.table.drawn > before.table.drawn:
                told.append(self.drawn(player, int(before.table.drawn)))
        told += self.standing()
        self.actions += told
        return told

    def is_rainbow(self, card):
        return "Rainbow" in self.variant and card.colour == self.game.settings.suits - 1

    def shown(self, name, action):
        """An action as a player sees it."""
        is_own = action["type"] == "draw" and self.players[action["playerIndex"]] == name
        return {**action, "suitIndex": -1, "rank": -1} if is_own else action

    @property
    def summary(self):
        return {
            "id": self.number,
            "name": "a table",
            "players": self.players,
            "variant": self.variant,
            "running": self.game is not None,
            "sharedReplay": False,
        }


class Site:
    """The site, in a thread of its own."""

    def __init__(self, accounts):
        self.accounts, self.wires, self.rooms = accounts, {}, {}
        self.heard, self.chats, self.warnings = [], [], []
        self.logins, self.cut_after = 0, None
        routes = [Route("/login", self.log_in, methods=["POST"]), WebSocketRoute("/ws", self.serve)]
        config = uvicorn.Config(
            Starlette(routes=routes), port=0, log_level="error", ws="websockets-sansio", lifespan="off"
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        self.wait(lambda: self.server.started)
        port = self.server.servers[0].sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_):
        self.server.should_exit = self.server.force_exit = True
        self.thread.join(10)

    def wait(self, is_so, seconds=60):
        """Waits until something is so."""
        end = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < end, (self.heard[-5:], self.warnings)
            time.sleep(0.005)

    def do(self, what):
        """Runs a coroutine in the thread of the site."""
        asyncio.run_coroutine_threadsafe(what, self.loop).result(10)

    async def log_in(self, request):
        self.logins += 1
        form = dict(pair.split("=") for pair in (await request.body()).decode().split("&"))
        if form.get("version") != "bot" or self.accounts.get(form["username"]) != form["password"]:
            return Response("That is not the correct password.", 401)
        return Response("OK", headers={"set-cookie": f"hanabi.sid={form['username']}; Path=/; HttpOnly"})

    async def serve(self, socket):
        self.loop = asyncio.get_running_loop()
        name = socket.cookies.get("hanabi.sid", "")
        await socket.accept()
        self.wires[name] = socket
        playing = [room.number for room in self.rooms.values() if name in room.players]
        await self.tell(name, "welcome", username=name, userID=1, playingAtTables=playing, settings={})
        await socket.send_text(f"tableList {json.dumps([room.summary for room in self.rooms.values()])}")
        await self.tell(name, "somethingNew", list=[1])
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                command, _, data = (await socket.receive_text()).partition(" ")
                self.heard.append((name, command, json.loads(data)))
                await self.hear(name, command, json.loads(data))

    async def tell(self, name, command, /, **data):
        if name in self.wires:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await self.wires[name].send_text(f"{command} {json.dumps(data)}")

    async def announce(self, room):
        for name in [*self.wires]:
            await self.tell(name, "table", **room.summary)

    async def warn(self, name, words):
        self.warnings.append((name, words))
        await self.tell(name, "warning", warning=words)

    async def hear(self, name, command, data):
        if command == "chatPM":
            self.chats.append((name, data["recipient"], data["msg"]))
            return
        if command == "chat":
            self.chats.append((name, data["room"], data["msg"]))
            return
        room = self.rooms.get(data["tableID"])
        if room is None:
            await self.warn(name, f"Table {data['tableID']} does not exist.")
        elif command == "tableJoin":
            if room.game or room.password != data.get("password", ""):
                await self.warn(name, "That is not the correct password for this game.")
                return
            room.players.append(name)
            await self.tell(name, "joined", tableID=room.number)
            await self.announce(room)
        elif command == "tableLeave":
            room.players.remove(name)
            await self.tell(name, "left", TableID=room.number)  # as the site writes it
            await self.announce(room)
        elif command == "tableReattend":
            await self.tell(name, "tableStart" if room.game else "joined", tableID=room.number, replay=False)
        elif command == "getGameInfo1":
            seat = room.players.index(name)
            await self.tell(
                name, "init", tableID=room.number, playerNames=room.players, ourPlayerIndex=seat, options=room.options,
                spectating=False, replay=False, seed="p2v0s1", characterAssignments=[], paused=False,
            )  # fmt: skip
        elif command == "getGameInfo2":
            shown = [room.shown(name, action) for action in room.actions]
            await self.tell(name, "gameActionList", tableID=room.number, list=shown)
        elif command == "action":
            await self.act(name, room, data)

    async def act(self, name, room, data):
        try:
            told = room.move(room.players.index(name), data)
        except ValueError as error:
            await self.warn(name, str(error))
            return
        if self.cut_after is not None and room.game.turn >= self.cut_after:
            self.cut_after = None
            for player in room.players:
                await self.wires.pop(player).close(1011)
            return
        for action in told:
            for player in room.players:
                await self.tell(player, "gameAction", tableID=room.number, action=room.shown(player, action))
        if room.game.is_over:
            for player in room.players:
                await self.tell(player, "finishOngoingGame", tableID=room.number, databaseID=7, sharedReplayTableID=9)

    async def open(self, room):
        self.rooms[room.number] = room
        await self.announce(room)

    async def change(self, room, variant):
        room.variant = variant
        await self.announce(room)

    async def start(self, room, players, seed=5, **rules):
        room.players = [*players]
        room.deal(Settings(players=len(players), **rules), seed)
        for player in players:
            await self.tell(player, "tableStart", tableID=room.number, replay=False)

    async def say(self, who, to, words):
        """Somebody says something in private, or in a room."""
        is_room = to not in self.accounts
        room, recipient = (to, "") if is_room else ("", to)
        for name in [*self.wires] if is_room else [to]:
            await self.tell(name, "chat", msg=words, who=who, room=room, recipient=recipient, server=False, datetime="")
