"""The recipes for other crawlers in the manual, taken from it and run against the service."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import uvicorn

from siteseer.demo import Server, make_site
from siteseer.web.api.app import make_app
from siteseer.web.service.library import Library

TOKEN = "let-me-in"
MANUAL = (Path(__file__).parents[2] / "docs" / "other-crawlers.md").read_text(encoding="utf-8")
JARS = [Path("/usr/share/java/groovy-all.jar"), Path("/usr/share/groovy/embeddable/groovy-all.jar")]
STAND_IN = """package org.archive.modules.extractor
class LinkContext { static NAVLINK_MISC = 'link' }
class Hop { static NAVLINK = 'L' }
"""
HERITRIX = """import javax.script.ScriptEngineManager
class Recorder { def contentReplayCharSequence }
class CrawlUri {
  def url, contentType, recorder; int fetchStatus; def outLinks = []
  def createCrawlURI(to, context, hop) { [to, context, hop] }
  String toString() { url }
}
class Processor { public Map sharedMap = Collections.synchronizedMap([:]) }
def engine = new ScriptEngineManager().getEngineByName('groovy')
engine.put('self', new Processor())
engine.eval(new FileReader(args[0]))
def page = new URL(args[1]).text
def curi = new CrawlUri(url: args[1], contentType: 'text/html', fetchStatus: 200,
                        recorder: new Recorder(contentReplayCharSequence: page))
engine.put('curi', curi)
engine.eval('process(curi)')
println groovy.json.JsonOutput.toJson(curi.outLinks)
"""


def block(language: str, begins: str) -> str:
    """Return a block of code of the manual."""
    found = [code for code in re.findall(rf"```{language}\n(.*?)```", MANUAL, re.DOTALL) if code.startswith(begins)]
    assert len(found) == 1
    return str(found[0])


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with Server(make_site("forum", 4, size=8)) as server:
        yield server


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    app = make_app(Library(tmp_path_factory.mktemp("library")), TOKEN)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/api"
    server.should_exit = True
    thread.join(10)


@contextmanager
def gateway(folder: Path, service: str, seed: str) -> Iterator[str]:
    """Run the gateway of the manual; give its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    code = block("python", "import json\nimport sys").replace("8081", str(port))
    (folder / "gateway.py").write_text(code.replace("http://127.0.0.1:8080/api", service), encoding="utf-8")
    process = subprocess.Popen([sys.executable, str(folder / "gateway.py"), TOKEN, seed], stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.wait(10)


def test_the_behaviour_for_browsertrix_queues_what_it_is_told(chromium: Any, site, service, tmp_path):
    with gateway(tmp_path, service, site.url) as address:
        page = chromium.new_page()
        page.goto(site.url + "/")
        code = block("js", "class Siteseer").replace("http://gateway:8081/", address)
        told = page.evaluate(f"""async () => {{ {code}
            const links = [], Lib = {{ addLink: async (url) => links.push(url), getState: (ctx, said) => said }};
            const steps = [];
            for await (const step of new Siteseer().run({{ Lib, ...Siteseer.init() }})) steps.push(step);
            return {{ links, steps, matches: Siteseer.isMatch(), id: Siteseer.id }};
        }}""")
        page.close()
    assert told["steps"] == ["asked"] and told["matches"] and told["id"] == "Siteseer"
    check_links(told["links"], site.url)


@pytest.mark.skipif(not any(map(Path.exists, JARS)) or shutil.which("java") is None, reason="needs java and groovy")
def test_the_script_for_heritrix_queues_what_it_is_told(site, service, tmp_path):
    code = block("groovy", "import groovy.json").replace("'TOKEN'", f"'{TOKEN}'")
    code = code.replace("http://127.0.0.1:8080/api", service).replace("http://forum.example/", site.url)
    (tmp_path / "siteseer.groovy").write_text(code, encoding="utf-8")
    (tmp_path / "heritrix.groovy").write_text(HERITRIX, encoding="utf-8")
    for name, line in zip(("LinkContext", "Hop"), STAND_IN.splitlines()[1:], strict=True):
        folder = tmp_path / "org" / "archive" / "modules" / "extractor"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.groovy").write_text(f"{STAND_IN.splitlines()[0]}\n{line}\n", encoding="utf-8")
    jars = ":".join(str(path) for path in (*JARS, tmp_path))
    command = ["java", "-cp", jars, "groovy.ui.GroovyMain", "-cp", str(tmp_path), "heritrix.groovy", "siteseer.groovy"]
    done = subprocess.run([*command, site.url + "/"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    links = json.loads(done.stdout.splitlines()[-1])
    assert {tuple(link[1:]) for link in links} == {("link", "L")}
    check_links([link[0] for link in links], site.url)


def check_links(links: list[str], url: str) -> None:
    """Check that what was queued are pages of the site."""
    assert len(links) > 3 and all(link.startswith(url) for link in links)
    with urlopen(links[-1]) as answer:
        assert answer.status == 200
