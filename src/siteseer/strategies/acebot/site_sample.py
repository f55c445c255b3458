"""Samples a site with a double-ended queue, from which URLs are taken at random from the front or from the end.

Reference: thesis, section 5.2.2 (after iRobot, 2008). The front makes the sample broad, the end makes it deep. Which
end is drawn depends on the seed and on how many URLs were taken before, so an interrupted sample goes on as if it had
not been.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable


class Sample:
    """URL numbers waiting to be sampled.

    >>> sample = Sample(seed=0); sample.offer(range(1, 7)); [sample.take() for _ in range(7)]
    [1, 2, 3, 6, 5, 4, None]
    """

    def __init__(self, seed: int) -> None:
        self.seed, self.taken = seed, 0
        self._queue: deque[int] = deque()
        self._offered: set[int] = set()
        self._gone: set[int] = set()

    def offer(self, numbers: Iterable[int]) -> None:
        """Queue URLs, each once."""
        for number in numbers:
            if number not in self._offered:
                self._offered.add(number)
                self._queue.append(number)

    def take(self) -> int | None:
        """Take a URL from the front or from the end, each with probability one half; None where none waits."""
        while self._queue:
            draw = random.Random(f"{self.seed} {self.taken}").random()
            number = self._queue.popleft() if draw < 0.5 else self._queue.pop()
            if number not in self._gone:
                self._gone.add(number)
                self.taken += 1
                return number
        return None

    def take_again(self, number: int) -> None:
        """Repeat what `take` did when it returned this URL."""
        self.withdraw(number)
        self.taken += 1

    def withdraw(self, number: int) -> bool:
        """Take out a URL that is fetched for another reason; say whether it had not been taken before."""
        self._offered.add(number)
        if number in self._gone:
            return False
        self._gone.add(number)
        return True

    def was_taken(self, number: int) -> bool:
        """Say whether a URL was taken or taken out."""
        return number in self._gone
