"""Names that were probably meant."""

import difflib
from collections.abc import Iterable


def suggestion(name: str, names: Iterable[str]) -> str:
    """The name that was probably meant, as the end of a complaint, or nothing."""
    folded = {known.lower(): known for known in names}
    close = difflib.get_close_matches(name.lower(), folded, n=1, cutoff=0.5)
    return f"; did you mean {folded[close[0]]}?" if close else ""
