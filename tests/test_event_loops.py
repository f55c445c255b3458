"""Coroutines run from functions, also where an event loop runs already, and Ctrl-C ends them there."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from asyncio import run, sleep

import pytest

from siteseer.event_loops import outside_event_loops, run_coroutine

NOTEBOOK = """
    import asyncio, os, signal, tempfile, threading
    import siteseer
    from siteseer.demo import Server, make_site

    async def cell(url, folder):
        try:
            siteseer.crawl(url, folder, delay=0.5, browser="never", watch=begun)
        except KeyboardInterrupt:
            print("interrupted")

    def begun(now):
        if now.requests > 1 and not timer.is_alive() and not asked:
            asked.append(1)
            timer.start()

    asked = []
    timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT))
    with Server(make_site("blog", 4, size=6)) as server, tempfile.TemporaryDirectory() as folder:
        asyncio.new_event_loop().run_until_complete(cell(server.url, folder))
        print(siteseer.crawl(server.url, folder, delay=0.0, browser="never")["stopped_by"])
        print(len(siteseer.verify(folder)["problems"]))
"""


async def name_of_thread() -> str:
    await sleep(0)
    return threading.current_thread().name


def test_a_thread_is_only_used_where_a_loop_runs() -> None:
    async def cell() -> str:
        return run_coroutine(name_of_thread())

    assert run_coroutine(name_of_thread()) == threading.current_thread().name
    assert run(cell()) == "siteseer"


def test_a_whole_function_stays_in_one_thread() -> None:
    @outside_event_loops
    def verb() -> tuple[str, str]:
        return threading.current_thread().name, run_coroutine(name_of_thread())

    async def cell() -> tuple[str, str]:
        return verb()

    assert run(cell()) == ("siteseer", "siteseer")


def test_failures_come_out_as_they_are() -> None:
    async def wrong() -> None:
        raise ValueError("as it is")

    async def cell() -> None:
        run_coroutine(wrong())

    with pytest.raises(ValueError, match="as it is"):
        run(cell())


def test_an_interrupted_cell_ends_the_crawl_which_goes_on_when_it_is_called_again() -> None:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(NOTEBOOK)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.split() == ["interrupted", "None", "0"], done.stderr
