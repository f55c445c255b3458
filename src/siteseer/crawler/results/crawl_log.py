"""Writes the log of a crawl: one JSON object per line."""

from __future__ import annotations

import json
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from siteseer.crawler.capture_writer import WrittenCapture
from siteseer.model import Follow, Note, Submit


class CrawlLog:
    """Appends to the log of one crawl; flushed with every commit."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a", encoding="utf-8", errors="replace")

    def write(self, event: str, /, **facts: Any) -> None:
        """Write one line."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._file.write(json.dumps({"time": now, "event": event} | facts, ensure_ascii=False, default=str) + "\n")

    def page(self, kept: WrittenCapture, why: Follow | Submit, note: Note | None) -> None:
        """Write what is to be known of a page."""
        exchange = kept.exchange
        level = note.recognition.level if note and note.recognition else None
        self.write(
            "page",
            url=exchange.url,
            status=exchange.status,
            bytes=exchange.body_length,
            ms=exchange.milliseconds,
            family=why.family,
            because=why.because,
            new_grams=len(kept.new_grams),
            **({"level": level} if level else {}),
            **({"certificate": f"not verified: {exchange.certificate}"} if exchange.certificate else {}),
            **({"truncated": exchange.truncated} if exchange.truncated else {}),
        )

    def error(self, where: str, url: str, error: Exception) -> None:
        """Write down an error of ours, with where it happened, for those who mend it."""
        self.write("defect", where=where, url=url, error=repr(error), trace=traceback.format_exc(limit=-4))

    def flush(self) -> None:
        """Hand the lines to the operating system."""
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
