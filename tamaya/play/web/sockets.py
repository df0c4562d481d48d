"""What comes over a wire: messages and bodies of limited size, and the talk with a browser until it leaves."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from tamaya.play.tables.messages import LONGEST, BadMessage, Trouble, to_text
from tamaya.play.web.clients import Client
from tamaya.play.web.same_origin import NOT_ALLOWED

TRY_AGAIN, TOO_BIG = 1013, 1009
"""Why a websocket is closed, by its codes."""


def json_response(content: Any, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(msgspec.json.encode(content), status, {"cache-control": "no-store"}, "application/json")


async def text_from(socket: WebSocket) -> str | bytes:
    """The next message of a browser."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text: str | bytes | None = message.get("text")
    return text if text is not None else message.get("bytes") or b""


async def body_of(request: Request, most: int = LONGEST) -> bytes:
    """The body of a request, if it is not too long."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise BadMessage(f"at most {most:,} bytes can be sent")
    return body


async def refuse(socket: WebSocket, why: Exception) -> None:
    """Tells a browser why it cannot come in."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.send_text(to_text(Trouble(str(why))))
        await socket.close(NOT_ALLOWED)


async def converse(client: Client, hear: Callable[[str | bytes], Awaitable[None]]) -> None:
    """Tells a client what is new and does what it asks, until it leaves."""
    telling = asyncio.create_task(client.listen())
    try:
        await receive_all(client, hear)
    except WebSocketDisconnect:
        pass
    finally:
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)


async def receive_all(client: Client, hear: Callable[[str | bytes], Awaitable[None]]) -> None:
    """Does what a browser asks; what makes no sense is answered with the reason."""
    while True:
        text = await text_from(client.socket)
        if not client.allowance.spend():
            await client.socket.close(TRY_AGAIN, "too many messages")
            return
        if len(text) > LONGEST:
            await client.socket.close(TOO_BIG, "too long a message")
            return
        try:
            await hear(text)
        except ValueError as error:
            client.tell(Trouble(str(error)))
        except OSError as error:
            client.tell(Trouble(f"the game cannot be written down: {error.strerror}"))
