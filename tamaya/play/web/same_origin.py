"""Who may speak to the server: browsers that came by its own address, from a page of its own."""

import contextlib
import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NOT_ALLOWED = 1008
"""The code with which a websocket is closed that may not be opened."""

HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class SameOrigin:
    """Lets in only browsers that came to this server by its own address, from a page of its own."""

    def __init__(self, app: ASGIApp, name: str = "") -> None:
        self.app, self.name = app, name
        """The server, and the name under which it listens, if that is not one of its own."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or refuses it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        heads = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host, origin = heads.get(b"host", ""), heads.get(b"origin")
        if not is_own(host, self.name) or (origin is not None and urlsplit(origin).netloc != host):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": NOT_ALLOWED})
            else:
                await Response("this server does not answer pages of others", 403)(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            await send(message)

        await self.app(scope, receive, send_guarded)


def is_own(host: str, also: str = "") -> bool:
    """Whether a host is this machine by address or by its own name: others' names could be made to lead here."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(name)
        return True
    own = socket.gethostname().lower()
    return name in ("localhost", own, f"{own}.local", own.partition(".")[0], also.lower()) and bool(name)
