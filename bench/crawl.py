"""CPU per page of a blind crawl beside wget and Scrapy on the same pages, and memory as the frontier grows.

    python bench/crawl.py [PAGES] [--captures NAME ...] [--rounds N] [--parts small captures memory]

The same local site, one after the other in one run: Siteseer, `wget --warc-file`, and Scrapy with LinkExtractor and
warcio. The same beside wget on captured sites, the first pages of each, served by `shared/sites/replay.py`. CPU is what
the kernel charged to the crawler's process, start-up included, so the server does not count; the least of the rounds.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path

from harness import Names, Table, run
from local_site import local_site

CAPTURES = ("serendipity-2k11", "smf")
PARTS = ("small", "captures", "memory")
SPIDER = """
import sys
from io import BytesIO
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

class Spider(scrapy.Spider):
    name = "plain"
    start_urls = [sys.argv[1]]
    custom_settings = {"LOG_LEVEL": "ERROR", "CONCURRENT_REQUESTS": 8, "ROBOTSTXT_OBEY": False, "TELNETCONSOLE_ENABLED": False}
    links = LinkExtractor()
    writer = WARCWriter(open(sys.argv[2], "wb"), gzip=True)
    def parse(self, response):
        headers = [(k.decode(), v[0].decode()) for k, v in response.headers.items()]
        head = StatusAndHeaders(f"{response.status} OK", headers, protocol="HTTP/1.1")
        self.writer.write_record(self.writer.create_warc_record(response.url, "response", payload=BytesIO(response.body), http_headers=head))
        for link in self.links.extract_links(response):
            yield response.follow(link, self.parse)

process = CrawlerProcess()
process.crawl(Spider)
process.start()
"""


def measured(command: list[str], cwd: Path) -> tuple[float, float, str]:
    """Return CPU seconds and peak megabytes of a command and its children, and what it printed."""
    report = cwd / "usage"
    wrapper = (
        "import json,resource,subprocess,sys;"
        "done=subprocess.run(sys.argv[2:],stdout=subprocess.PIPE,stderr=subprocess.DEVNULL);"
        "r=resource.getrusage(resource.RUSAGE_CHILDREN);"
        "open(sys.argv[1],'w').write(json.dumps([r.ru_utime+r.ru_stime,r.ru_maxrss/1024]));"
        "sys.stdout.buffer.write(done.stdout)"
    )
    done = subprocess.run(
        [sys.executable, "-c", wrapper, str(report), *command], cwd=cwd, capture_output=True, check=True
    )
    cpu, peak = json.loads(report.read_text())
    return cpu, peak, done.stdout.decode()


def siteseer(url: str, folder: Path, *more: str) -> list[str]:
    return [
        *(sys.executable, "-m", "siteseer", "crawl", url, "--strategy", "blind", "--delay", "0", "--concurrency", "8"),
        *("--robots", "ignore", "--assets", "none", "-o", str(folder), "--json", *more),
    ]


def wget(url: str, folder: Path) -> float:
    """Return CPU seconds of a wget that takes the whole site."""
    folder.mkdir()
    command = ["wget", "-q", "-r", "-l", "inf", "-e", "robots=off", "--warc-file=w", "-P", "w", url]
    return measured(["sh", "-c", " ".join(command) + " || true"], folder)[0]


def compare_cpu(pages: int, rounds: int, folder: Path) -> dict[str, float]:
    """Return CPU milliseconds per page, start-up of each tool included."""
    found: dict[str, float] = {}

    def keep(tool: str, seconds: float, fetched: int) -> None:
        found[tool] = min(found.get(tool, float("inf")), seconds / fetched * 1000)

    (folder / "spider.py").write_text(SPIDER)
    with local_site(pages) as url:
        for number in range(rounds):
            cpu, _, out = measured(siteseer(url, folder / f"s{number}"), folder)
            fetched = json.loads(out)["pages"]
            keep("siteseer", cpu, fetched)
            if shutil.which("wget"):
                keep("wget --warc-file", wget(url, folder / f"wget{number}"), fetched)
            cpu, _, _ = measured([sys.executable, "spider.py", url, "s.warc.gz"], folder)
            keep("Scrapy + LinkExtractor + warcio", cpu, fetched)
    return found


def compare_on_capture(name: str, requests: int, rounds: int, folder: Path) -> tuple[float, float]:
    """Return CPU milliseconds per request of Siteseer and of wget on a captured site."""
    from aware import served  # which imports this module

    ours, theirs = [], []
    with served(name) as url:
        for number in range(rounds):
            limit = ("--limit", str(requests), "--allow-private", "--browser", "never")
            cpu, _, out = measured(siteseer(url, folder / f"{name}{number}", *limit), folder)
            ours.append(cpu * 1000 / json.loads(out)["requests"])
            theirs.append(wget_per_answer(url, folder / f"{name}wget{number}", requests))
    return min(ours), min(theirs)


def wget_per_answer(url: str, folder: Path, requests: int) -> float:
    """Return CPU milliseconds per answer of a wget that is ended after about so many answers."""
    folder.mkdir()
    program = ["wget", "-nv", "-r", "-l", "inf", "-e", "robots=off", "--warc-file=w", "-P", "w", url]
    with subprocess.Popen(program, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        answers = sum(1 for _ in islice((line for line in process.stderr if "URL:" in line), requests))
        used = cpu_seconds(process.pid) if process.poll() is None else None
        process.kill()
        process.wait()
    if used is None:
        raise RuntimeError(f"wget ended before {requests} answers")
    return used * 1000 / max(1, answers)


def cpu_seconds(process: int) -> float:
    """Return what the kernel charged to a running process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(folder: Path) -> tuple[float, float]:
    """Return peak megabytes after about 2,000 and after about 200,000 discovered URLs."""
    with local_site(10_000, fresh_links=100) as url:
        _, small, _ = measured(siteseer(url, folder / "small", "--limit", "20"), folder)
        _, large, _ = measured(siteseer(url, folder / "large", "--limit", "2000"), folder)
    return small, large


def main(
    pages: int = 5_000,
    /,
    *,
    captures: Names = CAPTURES,
    requests: int = 1_500,
    rounds: int = 1,
    parts: Names = PARTS,
) -> None:
    with tempfile.TemporaryDirectory() as name:
        if "small" in parts:
            cpu = compare_cpu(pages, rounds, Path(name))
            table = Table(":<36", "CPU ms/page:>12.2f", "Siteseer / it:>16.2f")
            for tool, milliseconds in cpu.items():
                table.row(tool, milliseconds, cpu["siteseer"] / milliseconds)
        if "captures" in parts:
            table = Table("capture:<20", "siteseer, ms:>14.2f", "wget, ms:>12.2f", "times:>8.2f")
            for capture in captures:
                ours, theirs = compare_on_capture(capture, requests, rounds, Path(name))
                table.row(capture, ours, theirs, ours / theirs)
        if "memory" in parts:
            small, large = memory(Path(name))
            print(
                f"\nmemory after 2,000 discovered URLs {small:.0f} MB, after 200,000 {large:.0f} MB: {large - small:+.0f} MB"
            )


if __name__ == "__main__":
    run(main)
