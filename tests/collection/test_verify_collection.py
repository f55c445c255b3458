"""The judge of WACZ packages, of WARC files of any tool, and of a full disk."""

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import damage
import pytest

import siteseer
from siteseer.cli.main import run
from siteseer.collection.verify_collection import verify_collection
from siteseer.model import JSON


@pytest.fixture
def collection(serve: Callable, run_crawl: Callable, tmp_path: Path) -> Path:
    run_crawl(serve("blog", seed=3, size=4).url, strategy="learned", concurrency=1)
    return tmp_path / "collection"


@pytest.fixture
def wacz(collection: Path, tmp_path: Path) -> Path:
    return Path(siteseer.export(collection, tmp_path / "c.wacz"))


def told(path: Path) -> list[str]:
    return [f"{problem.file} {problem.what}" for problem in verify_collection(path).problems]


def test_a_sound_package_and_a_sound_file(collection: Path, wacz: Path) -> None:
    (warc,) = damage.files(collection, "WARC")
    whole, package, file = (verify_collection(path) for path in (collection, wacz, warc))
    assert whole.is_sound and package.is_sound and file.is_sound
    assert whole.records == package.records == file.records > 20
    assert package.index_lines == whole.index_lines > 0


@pytest.mark.parametrize("way", ["flip", "cut", "empty"])
def test_damage_of_a_package_is_found(wacz: Path, way: str) -> None:
    damage.WAYS[way](wacz)
    assert told(wacz)
    assert run(["verify", str(wacz)]) == 1


def rewritten(wacz: Path, change: Callable[[str, bytes], bytes | None]) -> None:
    """Pack a package again with other contents."""
    with zipfile.ZipFile(wacz) as old:
        contents = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(wacz, "w") as new:
        for name, data in contents.items():
            if (made := change(name, data)) is not None:
                new.writestr(name, made)


def test_a_file_that_was_changed_in_a_package_is_found(wacz: Path) -> None:
    rewritten(wacz, lambda name, data: data.replace(b"All Pages", b"No Pages!") if "pages" in name else data)
    assert any(line.startswith("pages/pages.jsonl its hash does not match") for line in told(wacz))


def test_a_file_that_is_missing_from_a_package_is_found(wacz: Path) -> None:
    rewritten(wacz, lambda name, data: None if name.endswith("index.cdx.gz") else data)
    assert "indexes/index.cdx.gz is named by the package and missing from it" in told(wacz)


def test_a_file_that_is_no_archive(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"nothing of the kind")
    assert run(["verify", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["problems"][0]["file"] == "a.warc.gz"
    assert run(["verify", str(tmp_path / "missing")]) == 2
    assert run(["verify", str(tmp_path / "own-knowledge")]) == 2


def test_damaged_archives_are_not_exported_nor_called_described(collection: Path, tmp_path: Path, capsys: Any) -> None:
    (warc,) = damage.files(collection, "WARC")
    damage.cut(warc, 0.6)
    assert run(["export", str(collection), "--wacz", str(tmp_path / "c.wacz")]) in (1, 17)
    assert not (tmp_path / "c.wacz").exists()
    assert run(["describe", str(warc), "-o", str(tmp_path / "d"), "--json"]) == 1
    problems: list[JSON] = json.loads(capsys.readouterr().out)["problems"]
    assert problems[0]["reason"] == "archive-damaged"


def test_lost_objects_are_not_exported_as_none(collection: Path, tmp_path: Path) -> None:
    assert siteseer.objects(collection)
    shutil.rmtree(collection / "siteseer" / "objects")
    assert run(["export", str(collection), "--wacz", str(tmp_path / "c.wacz")]) == 17
    assert run(["export", str(collection), "--format", "jsonl"]) == 17
    assert run(["repair", str(collection)]) == 0
    assert run(["export", str(collection), "--wacz", str(tmp_path / "c.wacz")]) == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)], capture_output=True)
    if done.returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path, room: int) -> None:
    """Leave so many bytes of a disk."""
    free = shutil.disk_usage(folder).free
    (folder / "filler").write_bytes(bytes(max(0, free - room)))


@pytest.mark.parametrize("command", [["describe"], ["repair"], ["export", "--wacz", "{}.wacz"]])
def test_a_full_disk_is_exit_code_3_and_costs_nothing(
    collection: Path, small_disk: Path, command: list[str], capsys: Any
) -> None:
    copy = small_disk / "c"
    shutil.copytree(collection, copy, ignore=shutil.ignore_patterns("rdf"))
    before = damage.contents(copy)
    if command == ["repair"]:
        (copy / "siteseer" / "state.db").unlink()
    fill(small_disk, 12_000)
    assert run([command[0], str(copy), *(word.format(copy) for word in command[1:])]) == 3, capsys.readouterr().err
    (small_disk / "filler").unlink()
    assert run(["repair", str(copy)]) in (0, 1)
    assert damage.contents(copy)["archived"] == before["archived"]
    assert damage.contents(copy)["objects"].keys() == before["objects"].keys()


def test_an_error_of_the_disk_anywhere_is_exit_code_3() -> None:
    code = (
        "import siteseer.cli.main as main\n"
        "def build():\n"
        "    def command(*_, **__):\n"
        "        open('/dev/full', 'w').write('x' * 100_000)\n"
        "    return command\n"
        "main.build = build\n"
        "raise SystemExit(main.run([]))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 3
