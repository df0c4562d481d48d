"""The files of the page."""

import gzip
import hashlib
import mimetypes
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

PAGE = Path(__file__).parent / "page"


class StaticFiles:
    """The files of the page, read once and compressed."""

    def __init__(self) -> None:
        paths = [path for path in PAGE.rglob("*") if path.is_file()]
        self.files = {path.relative_to(PAGE).as_posix(): path.read_bytes() for path in paths}
        self.zipped = {name: gzip.compress(content, 9, mtime=0) for name, content in self.files.items()}

    async def page(self, request: Request) -> Response:
        """Answers with the page, which is the same for every table and study."""
        return self.answer(request, "index.html")

    async def file(self, request: Request) -> Response:
        """Answers with a part of the page."""
        return self.answer(request, request.path_params["name"])

    def answer(self, request: Request, name: str) -> Response:
        """A file, or that the browser has it already."""
        if name not in self.files:
            return Response("there is no such page", 404)
        tag = f'"{hashlib.sha256(self.files[name]).hexdigest()[:16]}"'
        heads = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=heads)
        kind = "text/javascript" if name.endswith(("js", "mjs")) else mimetypes.guess_type(name)[0] or "text/plain"
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.zipped[name], headers=heads | {"content-encoding": "gzip"}, media_type=kind)
        return Response(self.files[name], headers=heads, media_type=kind)
