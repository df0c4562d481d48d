"""Work that is divided among all cores by numba, whose threads begin and end together far faster than Python's."""

from collections.abc import Callable
from typing import Any

from tamaya.jit.kernels import COMPILED


def in_parts(work: Callable[..., Any]) -> Any:
    """A function of four arguments and edges: the work, a kernel, is done from each edge to the next at the same time.

    It is compiled anew in every process, and only one thread of Python may call it at a time.
    """
    if not COMPILED:

        def one_by_one(one: Any, two: Any, three: Any, four: Any, edges: Any) -> None:
            for part in range(len(edges) - 1):
                work(one, two, three, four, edges[part], edges[part + 1])

        return one_by_one

    import numba

    @numba.njit(parallel=True, nogil=True)  # type: ignore[untyped-decorator]
    def together(one: Any, two: Any, three: Any, four: Any, edges: Any) -> None:
        for part in numba.prange(len(edges) - 1):
            work(one, two, three, four, edges[part], edges[part + 1])

    return together
