"""Manages the jobs of a library in the service: opened when first needed, run as long as the service runs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Lock

from siteseer.wrapper.jobs.alerts import Alerts
from siteseer.wrapper.jobs.job_executor import Executor
from siteseer.wrapper.jobs.job_folder import FOLDER, Jobs

LOOK_SECONDS = 2.0


class JobLibrary:
    """Jobs, alerts and the executor of one library.

    >>> import tempfile
    >>> desk = JobLibrary(Path(tempfile.mkdtemp()))
    >>> desk.exists(), desk.jobs.all(), desk.exists()
    (False, [], True)
    """

    def __init__(self, library: Path) -> None:
        self.library = library
        self._jobs: Jobs | None = None
        self._executor: Executor | None = None
        self._lock = Lock()

    def exists(self) -> bool:
        """Say whether there may be jobs."""
        return (self.library / FOLDER / "jobs.db").exists()

    @property
    def jobs(self) -> Jobs:
        """The jobs."""
        with self._lock:
            if self._jobs is None:
                self._jobs = Jobs(self.library)
            return self._jobs

    @property
    def alerts(self) -> Alerts:
        """The alerts."""
        return Alerts(self.jobs)

    async def begin(self) -> None:
        """Start as soon as there are jobs, whoever submitted the first."""
        while not self.exists():
            await asyncio.sleep(LOOK_SECONDS)
        self.start()

    def start(self) -> None:
        """Run what is asked for and what is due from now on, unless another process does."""
        jobs = self.jobs
        with self._lock:
            if self._executor is None:
                self._executor = Executor(jobs)
                self._executor.start()

    def close(self) -> None:
        """End what runs; the next start goes on with it."""
        with self._lock:
            if self._executor is not None:
                self._executor.close()
            if self._jobs is not None:
                self._jobs.close()
            self._executor = self._jobs = None
