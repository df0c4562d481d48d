"""The rules of the papers: kernels that look at a view and return a move, or NO_MOVE when they do not fire."""
