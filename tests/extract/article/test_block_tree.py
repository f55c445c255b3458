from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from siteseer.extract.article.block_tree import BEGINS, ENDS, element_tree

_BORDER = 3


@given(st.lists(st.sampled_from((BEGINS, BEGINS, ENDS, _BORDER)), max_size=60))
def test_the_tree_is_that_of_a_stack(steps: list[int]) -> None:
    marks, stack, count = [BEGINS], [0], 1
    opened, parents, last = [0], [0], {}
    for step in steps:
        if step == ENDS and len(stack) == 1:
            continue
        marks.append(step)
        if step == BEGINS:
            parents.append(stack[-1])
            stack.append(count)
            count += 1
        elif step == ENDS:
            last[stack.pop()] = len(marks) - 1
        opened.append(stack[-1])
    found = element_tree(np.array(marks))
    assert found.open.tolist() == opened
    assert found.parents.tolist() == parents
    assert found.last.tolist() == [last.get(node, len(marks)) for node in range(count)]
