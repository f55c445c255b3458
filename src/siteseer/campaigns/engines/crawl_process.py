"""Talks to one crawling subprocess of a campaign: sends requests, reads answers, notices its end."""

from __future__ import annotations

import asyncio
import itertools
import socket
import subprocess
import sys
import time
from contextlib import suppress

from siteseer.campaigns.campaign_state import CampaignState
from siteseer.campaigns.engines.process_worker import LONGEST_LINE


class WorkerProcess:
    """One process of `siteseer.campaigns.engines.process_worker`."""

    def __init__(
        self, process: subprocess.Popen[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._process, self._writer, self.since = process, writer, time.time()
        self.sites: set[str] = set()
        """What it crawls now."""
        self.slices = self.pages = self.requests = 0
        self.is_alive = True
        self._numbers = itertools.count()
        self._waiting: dict[int, asyncio.Future[bytes | None]] = {}
        self._listener = asyncio.create_task(self._listen(reader))

    @classmethod
    async def start(cls, campaign_state: CampaignState, most: int) -> WorkerProcess:
        """Start a process that keeps at most so many sites open."""
        ours, theirs = socket.socketpair()
        with theirs:
            given = theirs.fileno(), campaign_state.lock
            command = [sys.executable, "-P", "-m", "siteseer.campaigns.engines.process_worker", *map(str, given)]
            process = subprocess.Popen(
                [*command, str(campaign_state.folder.resolve()), str(most)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=given,
                process_group=0,  # Ctrl-C is heard by the campaign alone, which then asks its processes to end
            )
        return cls(process, *await asyncio.open_connection(sock=ours, limit=LONGEST_LINE))

    async def ask(self, line: bytes) -> bytes | None:
        """Send a line, and return the answer; None where the process ended instead."""
        if not self.is_alive:
            await self._listener
            return None
        number = next(self._numbers)
        answer: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        self._writer.write(b"%d %s\n" % (number, line))
        return await answer

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    async def close(self, seconds: float) -> None:
        """Close the connection and wait for the process to end; kill it after so many seconds."""
        self._writer.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._listener), seconds)
        self.kill()
        await self._listener

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        """Hand answers on, until the process has ended: then it holds nothing any more."""
        try:
            while line := await reader.readline():
                number, _, said = line.partition(b" ")
                self._waiting.pop(int(number)).set_result(said)
        except ConnectionError:
            pass
        except (ValueError, KeyError):  # it does not speak our language
            self.kill()
        self.is_alive = False
        await asyncio.to_thread(self._process.wait)
        for answer in self._waiting.values():
            answer.set_result(None)
