"""How soon a person's move is answered while many tables of bots are played and watched: python bench/tables.py.

A server runs in a process of its own. Every table of bots has a spectator, and its bots move twice per second. A person
plays at another table. Recorded games are analysed meanwhile, if wanted. What is measured is the time from sending a
move to being told that it was made, without what the bots then think.
"""

import argparse
import asyncio
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from tamaya.agents.registry import make_agent
from tamaya.game.game import Game
from tamaya.game.hanab_live import Record
from tamaya.game.replay import to_record
from tamaya.play.tables.bots import Bots
from tamaya.play.tables.lobby import Lobby
from tamaya.play.tables.messages import Order, Place
from tamaya.play.tables.study_library import Library


async def watch(address: str, counts: list[int]) -> None:
    """A spectator who only counts what it is told."""
    async with connect(address) as wire:
        await wire.send('{"type":"sit"}')
        async for _ in wire:
            counts[0] += 1


async def study(address: str, counts: list[int]) -> None:
    """A reader who lets a game be analysed and counts the moves that were."""
    async with connect(address) as wire:
        await wire.send('{"type":"analyse","line":0}')
        async for text in wire:
            counts[0] += len(json.loads(text).get("moves", []))


def games(count: int) -> Iterator[Record]:
    """Games of bots."""
    for seed in range(count):
        game = Game(3, seed)
        players = [make_agent("piers").sit_down() for _ in range(3)]
        while not game.is_over:
            game.push(players[game.seat].act(game.view()))
        yield to_record(game)


async def told(wire: ClientConnection, game: int, turn: int) -> dict:
    """The news of a turn of a game."""
    while True:
        message = json.loads(await wire.recv())
        if message["type"] == "news" and (message["game"], message["events"][-1]["num"]) >= (game, turn):
            return message


async def play(address: str, token: str, moves: int) -> list[float]:
    """The seconds in which first moves of a person are answered, each in a new game."""
    waits: list[float] = []
    async with connect(address) as wire:
        await wire.send(json.dumps({"type": "sit", "token": token}))
        for game in range(1, moves + 1):
            news = await told(wire, game, 0)
            start = time.perf_counter()
            await wire.send(json.dumps({"type": "act", "turn": 0, "move": news["legal"][-1]}))
            await told(wire, game, 1)
            waits.append(time.perf_counter() - start)
            await asyncio.sleep(0.25)  # a browser may not send more than ten messages per second
            await wire.send('{"type":"again","fresh":true}')
    return waits


async def measure(tables: int, moves: int, studies: int) -> tuple[list[float], int, int]:
    """The waits of a person, how much all spectators were told meanwhile, and how many moves were analysed."""
    with tempfile.TemporaryDirectory() as folder:
        lobby = Lobby(Path(folder), Bots())
        bots = [lobby.open(Order([Place(agent="smartbot")] * 3, delay=0.5)).id for _ in range(tables)]
        library = Library(Path(folder), lobby.bots)
        begun = [library.begin(record).id for record in games(studies)]
        mine = lobby.open(Order([Place(), Place(agent="smartbot")], mine=0, delay=0.0))
        command = [sys.executable, "-m", "tamaya", "play", "--no-browser", "--port", "0", "--folder", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                found = re.search(r"http://([^/]+)/", server.stdout.readline())
                assert found is not None
                address, counts, analysed = f"ws://{found[1]}/table", [0], [0]
                watching = [asyncio.create_task(watch(f"{address}/{table}", counts)) for table in bots]
                watching += [asyncio.create_task(study(f"ws://{found[1]}/study/{one}", analysed)) for one in begun]
                await asyncio.sleep(2)
                counts[0] = analysed[0] = 0
                waits = await play(f"{address}/{mine.id}", mine.seats[0].token, moves)
                for one in watching:
                    one.cancel()
                await asyncio.gather(*watching, return_exceptions=True)
            finally:
                server.kill()
    return waits, counts[0], analysed[0]


def main() -> None:
    """Prints the waits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--studies", type=int, default=0, help="how many games are analysed meanwhile")
    arguments = parser.parse_args()
    waits, heard, analysed = asyncio.run(measure(arguments.tables, arguments.moves, arguments.studies))
    ordered = sorted(1000 * wait for wait in waits)
    middle, late = statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))]
    print(f"{len(waits)} moves beside {arguments.tables} tables, whose spectators were told {heard:,} things meanwhile")
    if arguments.studies:
        print(f"{analysed} moves of {arguments.studies} games were analysed meanwhile")
    print(f"answered in {middle:.1f} ms (median), {late:.1f} ms (95 %), {ordered[-1]:.1f} ms (longest)")


if __name__ == "__main__":
    main()
