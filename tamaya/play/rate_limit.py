"""How much may be said: at once, and in the long run."""

import time


class Allowance:
    """A bucket of permissions that fills with time."""

    def __init__(self, burst: float, per_second: float) -> None:
        self.burst, self.per_second = burst, per_second
        self.left, self.at = burst, time.monotonic()

    def spend(self) -> bool:
        """Whether one more is allowed now."""
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.at) * self.per_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True

    def wait(self) -> None:
        """Spends one as soon as that is allowed."""
        while not self.spend():
            time.sleep((1 - self.left) / self.per_second)
