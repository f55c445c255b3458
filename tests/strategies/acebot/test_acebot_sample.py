"""The double-ended queue of ACEBot's sample."""

from __future__ import annotations

import random
from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from siteseer.strategies.acebot.site_sample import Sample

MOVES = st.lists(st.one_of(st.just("take"), st.lists(st.integers(0, 30), max_size=4), st.integers(0, 30)), max_size=40)


@given(MOVES, st.integers(0, 5), st.integers(0, 40))
def test_order_of_the_queue_and_going_on_in_the_middle(moves: list, seed: int, cut: int) -> None:
    """Against the plain queue; the second sample is told what the first one took, and goes on by itself at the cut."""
    sample, later = Sample(seed), Sample(seed)
    queue: deque[int] = deque()
    seen: set[int] = set()
    count = 0
    for place, move in enumerate(moves):
        if move == "take":
            wanted = None
            if queue:
                wanted = queue.popleft() if random.Random(f"{seed} {count}").random() < 0.5 else queue.pop()
                count += 1
            assert sample.take() == wanted
            if place >= cut:
                assert later.take() == wanted
            elif wanted is not None:
                later.take_again(wanted)
        elif isinstance(move, list):
            sample.offer(move)
            later.offer(move)
            queue.extend(number for number in dict.fromkeys(move) if number not in seen)
            seen.update(move)
        else:
            is_new = move in queue or move not in seen
            assert sample.withdraw(move) == later.withdraw(move) == is_new
            seen.add(move)
            if move in queue:
                queue.remove(move)


def test_both_ends_are_used_evenly() -> None:
    sample = Sample(7)
    sample.offer(range(2000))
    first = [sample.take() for _ in range(1000)]
    low = sum(number < 1000 for number in first if number is not None)
    assert 450 < low < 550
