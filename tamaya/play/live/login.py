"""Logging in: a name and a password for the cookie that opens the websocket."""

import http.client
import urllib.error
import urllib.request
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from tamaya.engine.text import plain

VERSION = "bot"
"""What programs say in place of the version of the site's own page."""

SECONDS = 30
LONGEST = 2000


class LoginRefused(ValueError):
    """The site does not let us in; the text says why."""


class Unreachable(OSError):
    """The site does not answer, which may pass."""


def check_site(site: str) -> str:
    """The address of a site without what follows it; passwords are sent in the clear to this machine only."""
    parts = urlsplit(site)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"--site must be an address such as https://hanab.live, not {site!r}")
    if parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise ValueError(f"a password for {site} could be read on its way; use https")
    return f"{parts.scheme}://{parts.netloc}"


def socket_address(site: str) -> str:
    """The address of a site's websocket."""
    return f"ws{check_site(site).removeprefix('http')}/ws"


def log_in(site: str, user: str, password: str) -> str:
    """The cookie of a user; raises LoginRefused with what the site says, or Unreachable."""
    content = urlencode({"username": user, "password": password, "version": VERSION}).encode()
    try:
        with urllib.request.urlopen(f"{check_site(site)}/login", content, timeout=SECONDS) as answer:
            cookies = SimpleCookie()
            for header in answer.headers.get_all("Set-Cookie") or []:
                cookies.load(header)
    except urllib.error.HTTPError as error:
        with error:
            words = plain(error.read(LONGEST).decode(errors="replace").strip()) or error.reason
        if error.code >= 500:
            raise Unreachable(f"{site} cannot log anybody in now: {words}") from error
        raise LoginRefused(f"{site} does not let {user} in: {words}") from error
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(f"{site} cannot be reached: {getattr(error, 'reason', error)}") from error
    if not cookies:
        raise LoginRefused(f"{site} has not answered like a site of hanab.live: there is no cookie")
    return "; ".join(f"{name}={cookie.value}" for name, cookie in cookies.items())
