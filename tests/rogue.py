"""Bots that misbehave: python rogue.py MODE [TURN]; until then they make the last legal move."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

MODE, TURN = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2


def say(text):
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(text)
        sys.stdout.flush()


def note_child():
    """Starts a child that would live for long, and writes its number and its own to a file."""
    child = subprocess.Popen(["sleep", "300"], stdin=subprocess.DEVNULL)
    with open(os.environ["ROGUE_FILE"], "w") as file:
        file.write(f"{os.getpid()} {child.pid}")


def misbehave(legal):
    if MODE == "slow":
        time.sleep(300)
    elif MODE == "crash":
        raise RuntimeError("out of ideas")
    elif MODE == "quit":
        sys.exit(0)
    elif MODE == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif MODE == "nonsense":
        say("I play the red one\n")
    elif MODE == "wrong-type":
        say('{"type": "play"}\n')
    elif MODE == "fraction":
        say('{"type": 0, "target": 1.5}\n')
    elif MODE == "list":
        say("[0, 1]\n")
    elif MODE == "empty":
        say("\n")
    elif MODE == "cut-short":
        say('{"type": 0\n')
    elif MODE == "no-target":
        say('{"type": 1}\n')
    elif MODE == "not-held":
        say('{"type": 0, "target": 49}\n')
    elif MODE == "to-itself":
        say('{"type": 3, "target": 0, "value": 1}\n')
    elif MODE == "no-such-type":
        say('{"type": 7, "target": 0}\n')
    elif MODE == "partial":
        say('{"type": 0, ')
        time.sleep(300)
    elif MODE == "endless":
        while True:
            say("x" * (1 << 16))
    elif MODE == "binary":
        sys.stdout.buffer.write(b"\xff\xfe\x00\n")
        sys.stdout.flush()
    elif MODE == "deep":
        say("[" * 100_000 + "\n")
    elif MODE == "flood":
        say((json.dumps(legal[-1]) + "\n") * 10_000)
    elif MODE == "flood-errors":
        say(json.dumps(legal[-1]) + "\n")
        for _ in range(64):
            sys.stderr.write("x" * (1 << 16))
    elif MODE == "closes-output":
        os.close(1)
        time.sleep(300)
    elif MODE == "closes-input":
        os.close(0)
        say(json.dumps(legal[-1]) + "\n")
        time.sleep(300)
    elif MODE == "parts":
        for character in json.dumps(legal[-1]) + "\n":
            say(character)
            time.sleep(0.001)
    elif MODE == "give-up":
        say('{"type": 4}\n')
    else:
        say(json.dumps(legal[-1]) + "\n")


def main():
    turns = 0
    if MODE == "mute":
        time.sleep(300)
    if MODE == "no-hello":
        print("cannot find my weights", file=sys.stderr)
        sys.exit(3)
    if MODE == "deaf":
        say('{"type": "hello", "protocol": 1}\n')
        time.sleep(300)
    if MODE == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        note_child()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello" and MODE == "impolite":
            say('{"type": "play"}\n')
        elif message["type"] == "hello":
            say(json.dumps({"type": "hello", "protocol": 9 if MODE == "newer" else 1}) + "\n")
        elif message["type"] == "init":
            turns = 0
        elif message["type"] == "act":
            turns += 1
            if turns == TURN:
                misbehave(message["legal"])
            else:
                say(json.dumps(message["legal"][-1]) + "\n")
    if MODE == "stubborn":
        while True:
            time.sleep(300)


main()
