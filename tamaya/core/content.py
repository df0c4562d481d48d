"""What small files hold: read whole, unless they are too large or never end."""

from pathlib import Path


def content_of(path: Path, most: int) -> bytes:
    """The content of a file; raises an error for one that is too large or, as a device or a pipe, may never end."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise ValueError("it is not a plain file")
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"it is too large, with more than {most:,} bytes")
    return content
