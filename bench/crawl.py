"""CPU per page of a blind crawl beside wget and Scrapy on the same pages, and memory as the frontier grows.

    python bench/crawl.py [PAGES]

The same local site, one after the other in one run: Siteseer, `wget --warc-file`, and Scrapy with LinkExtractor and
warcio. CPU is what the kernel charged to the crawler's process, so the server does not count.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import Table, run
from local_site import local_site

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


def compare_cpu(pages: int, folder: Path) -> dict[str, float]:
    """Return CPU milliseconds per page, start-up of each tool included."""
    found: dict[str, float] = {}
    with local_site(pages) as url:
        cpu, _, out = measured(siteseer(url, folder / "s"), folder)
        fetched = json.loads(out)["pages"]
        found["siteseer"] = cpu / fetched * 1000
        if shutil.which("wget"):
            wget = ["wget", "-q", "-r", "-l", "inf", "-e", "robots=off", "--warc-file=w", "-P", "w", url]
            (folder / "wget").mkdir()
            cpu, _, _ = measured(["sh", "-c", " ".join(wget) + " || true"], folder / "wget")
            found["wget --warc-file"] = cpu / fetched * 1000
        (folder / "spider.py").write_text(SPIDER)
        cpu, _, _ = measured([sys.executable, "spider.py", url, "s.warc.gz"], folder)
        found["Scrapy + LinkExtractor + warcio"] = cpu / fetched * 1000
    return found


def memory(folder: Path) -> tuple[float, float]:
    """Return peak megabytes after about 2,000 and after about 200,000 discovered URLs."""
    with local_site(10_000, fresh_links=100) as url:
        _, small, _ = measured(siteseer(url, folder / "small", "--limit", "20"), folder)
        _, large, _ = measured(siteseer(url, folder / "large", "--limit", "2000"), folder)
    return small, large


def main(pages: int = 5_000, /) -> None:
    with tempfile.TemporaryDirectory() as name:
        cpu = compare_cpu(pages, Path(name))
        small, large = memory(Path(name))
    table = Table(":<36", "CPU ms/page:>12.2f", "Siteseer / it:>16.2f")
    for tool, milliseconds in cpu.items():
        table.row(tool, milliseconds, cpu["siteseer"] / milliseconds)
    print(f"\nmemory after 2,000 discovered URLs {small:.0f} MB, after 200,000 {large:.0f} MB: {large - small:+.0f} MB")


if __name__ == "__main__":
    run(main)
