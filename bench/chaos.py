"""Kills commands, takes away their disk, damages their files, and sees whether collections can be trusted afterwards.

300 SIGKILLs at random moments, spread over the run and more of them over its last fifth, for twelve commands: crawls
with four strategies, describe (a collection; archives), revisit, export, repair, a campaign with two processes, a wrapper, the
probe of a form. Then a full disk, a limit of file sizes, a directory deleted and one that is read-only, torn and flipped bytes in each
kind of file, two writers, a clock set back, 64 file descriptors. After each case:

- verify is right: it names a problem unless everything is as in an undisturbed run, or as before the command;
- the same command or `siteseer repair` heals it, in at most three steps;
- captures (URL, status, digest), archived pages and objects equal those of an undisturbed run.

A site of a campaign is judged by itself: 0 problems mean that all it claims is there, not that the campaign had ended.
Needs Linux; full and read-only disks need root, the clock libfaketime: what cannot be done is said.

    python bench/chaos.py [--kills 300] [--seed N] [--kinds NAME ...] [--quick] [--workers 2]
"""

from __future__ import annotations

import json
import multiprocessing
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from chaos_commands import COMMANDS, Command, Contents, World, preload, served, without_confidence
from chaos_faults import FAULTS, Absent
from chaos_processes import Effort, Running, measure
from harness import Names, Table, choose, run

FINAL = 0.8
"""From this share of the run on, its final phase: every third kill falls into it."""
MOST_TRIES = 6


@dataclass(slots=True)
class Outcome:
    """What came of a case."""

    kind: str
    label: str
    kills: int = 0
    is_right: bool = True
    is_healed: bool = False
    is_equal: bool = False
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Say whether everything held."""
        return self.is_right and self.is_healed and self.is_equal


@dataclass(frozen=True, slots=True)
class Truth:
    """What an undisturbed run of a command took and left."""

    effort: Effort
    contents: Contents


class Case:
    """One case: a command in a folder of its own, and what is found there."""

    def __init__(self, world: World, command: Command, truth: Truth, work: Path, outcome: Outcome) -> None:
        self.world, self.command, self.truth, self.work, self.outcome = world, command, truth, work, outcome
        self.draw = random.Random(outcome.label)
        self.env: dict[str, str] = {}
        self.is_learned_again = False
        """Whether pages come in another order than undisturbed: records are then read with another confidence."""
        work.mkdir(parents=True, exist_ok=True)

    def prepare(self) -> None:
        """Put what the command starts from into the folder."""
        self.command.prepare(self.world, self.work)
        self.before = self.command.contents(self.work)

    @property
    def arguments(self) -> list[str]:
        """What is called."""
        return [str(part) for part in self.command.arguments(self.world, self.work)]

    def wrong(self, note: str) -> None:
        """Write down that something was not right."""
        self.outcome.is_right = False
        self.outcome.notes.append(note)

    def verify(self) -> list[str]:
        """Return the problems that `verify` names in all that there should be."""
        paths, problems = self.command.results(self.work), []
        for path in paths:
            done = self.world.run("verify", path, "--json", env=self.env)
            if "Traceback" in done.stderr:
                self.wrong(f"verify: {done.stderr.strip().splitlines()[-1]}")
            if done.returncode == 2:
                problems.append(done.stderr.strip())
                continue
            found = [f"{one['file']}: {one['what']}" for one in json.loads(done.stdout)["problems"]]
            if bool(found) != bool(done.returncode):
                self.wrong(f"verify {path.name}: exit code {done.returncode} with {len(found)} problems")
            problems += found
        return problems if paths else ["nothing is there"]

    def judge(self) -> list[str]:
        """Return what `verify` says now, and see whether that is right."""
        problems, found = self.verify(), self.command.contents(self.work)
        if not problems and not self.is_allowed(found):
            self.wrong(f"verify names no problem, but {difference(found, self.truth.contents)}")
        return problems

    def is_allowed(self, found: Contents) -> bool:
        """Say whether that may be called whole."""
        if self.command.is_campaign:
            return all(
                name in self.truth.contents and held["captures"] <= self.truth.contents[name]["captures"]
                for name, held in found.items()
            )
        return self.is_whole(found) or found == self.before

    def is_whole(self, found: Contents) -> bool:
        """Say whether that is what an undisturbed run leaves."""
        both = found, self.truth.contents
        one, other = map(without_confidence, both) if self.is_learned_again else both
        return one == other

    def heal(self, repair_first: bool = False) -> None:
        """Take steps until nothing is missing: the same command, `repair`, the same command.

        A revisit that has come to its end is repaired: the same command would be the next one.
        """
        found = self.command.contents(self.work)
        truth = self.truth.contents.get("c", {})
        has_ended = self.command.name == "revisit" and found.get("c", {}).get("captures") == truth.get("captures")
        steps = [self.repair, self.again] if repair_first or has_ended else [self.again, self.repair, self.again]
        problems = self.verify() if repair_first or has_ended else ["not asked"]
        for step in steps:
            if not problems and self.is_whole(self.command.contents(self.work)):
                break
            step()
            problems = self.judge()
        found = self.command.contents(self.work)
        self.outcome.is_healed, self.outcome.is_equal = not problems, self.is_whole(found)
        if problems:
            self.outcome.notes.append(f"not healed: {'; '.join(problems[:3])}")
        if not self.outcome.is_equal:
            self.outcome.notes.append(difference(found, self.truth.contents))

    def again(self) -> None:
        """Run the same command."""
        self._step(*self.arguments)

    def repair(self) -> None:
        """Repair what is there."""
        for path in self.command.results(self.work):
            if path.is_dir():
                self._step("repair", path)

    def _step(self, *arguments: str | Path) -> None:
        done = self.world.run(*arguments, env=self.env)
        if done.returncode or self.outcome.notes:
            last = (done.stderr.strip() or "nothing said").splitlines()[-1]
            self.outcome.notes.append(f"({arguments[0]}: {done.returncode}, {last})")
        if "Traceback" in done.stderr:
            self.wrong(f"{arguments[0]} ends with a traceback")

    def kill_once(self, share: float) -> bool:
        """Start the command and kill it at a share of its effort; return whether it still ran."""
        has_children = self.command.is_campaign
        with Running(self.world, self.arguments, self.env) as running:
            if not running.wait_for_share(share * self.truth.effort.cpu, has_children):
                return False
            time.sleep(self.draw.random() * 0.02)
            if running.process.poll() is not None:
                return False
            others = [one for one in running.members() if one != running.process.pid] if has_children else []
            if others and self.draw.random() < 1 / 3:
                running.kill(self.draw.choice(others))
                running.end()
                self.outcome.notes.append("(a worker was killed)")
            else:
                running.kill()
        return True


def difference(found: Contents, wanted: Contents) -> str:
    """Say how two contents differ."""
    told = []
    for name in sorted(found.keys() | wanted.keys()):
        ours, theirs = found.get(name), wanted.get(name)
        if ours is None or theirs is None:
            told.append(f"{name} is {'missing' if ours is None else 'new'}")
            continue
        for part in sorted(ours.keys() | theirs.keys()):
            one, other = ours.get(part, set()), theirs.get(part, set())
            if one != other:
                keys = [set(each.items()) if isinstance(each, dict) else set(each) for each in (one, other)]
                some = sorted(map(str, keys[0] ^ keys[1]))[:1]
                told.append(f"{name}: {part} +{len(keys[0] - keys[1])} -{len(keys[1] - keys[0])} {some}"[:240])
    return "; ".join(told) or "nothing differs"


def moments(kills: int, begins: float, draw: random.Random) -> list[float]:
    """Return shares of a run: two thirds evenly over what follows the start of Python, a third in the final phase."""
    final = kills // 3
    spread = [begins + (1 - begins) * (n + draw.random()) / (kills - final) for n in range(kills - final)]
    late = [FINAL + (1 - FINAL) * (n + draw.random()) / final for n in range(final)]
    found = spread + late
    draw.shuffle(found)
    return found


def killed(case: Case, share: float) -> None:
    """Kill a command, every third time twice, and see what is left."""
    for attempt in range(MOST_TRIES):
        if attempt:
            shutil.rmtree(case.work)
            case.work.mkdir()
            share *= 0.75
        case.prepare()
        if case.kill_once(share):
            case.outcome.kills = 1
            break
    case.judge()
    if case.draw.random() < 1 / 3 and case.command.name != "revisit" and case.kill_once(share * case.draw.random()):
        case.outcome.kills += 1
        case.judge()
    case.heal(repair_first=case.draw.random() < 1 / 3)


@dataclass(slots=True)
class Bench:
    """All cases of a run."""

    world: World
    seed: int
    keep: bool
    is_quick: bool
    truths: dict[str, Truth] = field(default_factory=dict)

    def truth(self, command: Command) -> Truth:
        """Return what an undisturbed run leaves, and what it takes: the least of two runs, which must be alike."""
        if command.name not in self.truths:
            found = []
            for turn in ("one", "two")[: 1 if self.is_quick else 2]:
                work = self.world.root / "undisturbed" / f"{command.name} {turn}"
                work.mkdir(parents=True)
                command.prepare(self.world, work)
                effort = measure(self.world, command.arguments(self.world, work), work, command.is_campaign)
                found.append(Truth(effort, command.contents(work)))
            told = difference(found[0].contents, found[-1].contents)
            assert found[0].contents == found[-1].contents, f"{command.name}: two undisturbed runs differ: {told}"
            self.truths[command.name] = min(found, key=lambda one: one.effort.cpu)
        return self.truths[command.name]

    def case(self, kind: str, command: Command, number: int, disturb: Callable[[Case], None]) -> Outcome:
        """Run one case."""
        outcome = Outcome(kind, f"{self.seed} {kind} {number} {command.name}")
        work = self.world.root / "cases" / outcome.label.replace(" ", "-")
        began = time.monotonic()
        try:
            disturb(Case(self.world, command, self.truth(command), work, outcome))
        except Absent as error:
            outcome.notes.append(f"absent: {error}")
            outcome.is_healed = outcome.is_equal = True
        except Exception as error:
            outcome.notes.append(f"{type(error).__name__}: {error}")
        outcome.seconds = time.monotonic() - began
        if outcome.is_good or not self.keep:
            shutil.rmtree(work, ignore_errors=True)
        return outcome

    def cases(self, kinds: list[str], kills: int) -> Iterator[tuple[str, list[Callable[[], Outcome]]]]:
        """Yield every kind with its cases."""
        named = [name for name in COMMANDS if name in kinds]
        for name in named:
            self._grow(name)
            truth, draw = self.truth(COMMANDS[name]), random.Random(f"{self.seed} {name}")
            share = -(-kills // len(COMMANDS))
            yield (
                name,
                [
                    lambda at=at, number=number, name=name: self.case(
                        name, COMMANDS[name], number, lambda case: killed(case, at)
                    )
                    for number, at in enumerate(moments(share, truth.effort.begins, draw))
                ],
            )
        for name in (name for name in FAULTS if name in kinds):
            self._grow("revisit")
            picked = list(FAULTS[name].cases())
            if self.is_quick:
                picked = [random.Random(f"{self.seed} {name}").choice(picked)]
            for about, _ in picked:
                self.truth(COMMANDS[about])
            yield (
                name,
                [
                    lambda about=about, disturb=disturb, number=number, name=name: self.case(
                        name, COMMANDS[about], number, disturb
                    )
                    for number, (about, disturb) in enumerate(picked)
                ],
            )

    def _grow(self, name: str) -> None:
        if name == "revisit" and "old" not in self.world.bases:
            COMMANDS[name].prepare(self.world, self.world.root / "first")
            self.world.grow()


def main(
    kills: Annotated[int, "SIGKILLs in all"] = 300,
    seed: Annotated[int, "of the moments; 0: a new one"] = 0,
    kinds: Annotated[Names, "commands that are killed, and faults"] = (),
    quick: Annotated[bool, "twenty cases"] = False,
    workers: Annotated[int, "cases at a time"] = 2,
    keep: Annotated[bool, "keep the folders of cases that failed"] = False,
) -> int:
    """Run the cases; return how many failed."""
    chosen = choose(kinds, [*COMMANDS, *FAULTS]) or [*COMMANDS, *FAULTS]
    seed = seed or random.SystemRandom().randrange(1, 10**6)
    print(f"seed {seed}", flush=True)
    began, bad, total, dead = time.monotonic(), list[Outcome](), 0, 0
    root = Path(tempfile.mkdtemp(prefix="chaos-"))
    try:
        with served(root) as world:
            preload()
            bench = Bench(world, seed, keep, quick)
            table = Table(
                "kind:<22", "cases:>6", "killed in flight:>18", "verify right:>14", "healed:>8", "equal:>7", "worst s:>9.1f"
            )  # fmt: skip
            groups = bench.cases(chosen, len(COMMANDS) if quick else kills)
            for kind, found in _all_at_once(groups, workers) if quick else _by_kind(groups, workers):
                _row(table, kind, found)
                total, dead = total + len(found), dead + sum(one.kills for one in found)
                bad += [one for one in found if not one.is_good]
    finally:
        if not (keep and bad):
            shutil.rmtree(root, ignore_errors=True)
    for outcome in bad:
        print(f"FAILED {outcome.label}: {' | '.join(outcome.notes)}")
    print(f"{total} cases, {dead} SIGKILLs in flight, {len(bad)} failed, {(time.monotonic() - began) / 60:.1f} minutes")
    if keep and bad:
        print(f"kept: {root / 'cases'}")
    return len(bad)


Groups = Iterator[tuple[str, list[Callable[[], Outcome]]]]


def _by_kind(groups: Groups, workers: int) -> Iterator[tuple[str, list[Outcome]]]:
    """Run the cases of a kind after those of another."""
    for kind, cases in groups:
        yield kind, _all_of(cases, workers)


def _all_at_once(groups: Groups, workers: int) -> Iterator[tuple[str, list[Outcome]]]:
    """Run all cases together: no worker waits where each kind has a single one."""
    every = list(groups)
    found = iter(_all_of([case for _, cases in every for case in cases], workers))
    for kind, cases in every:
        yield kind, [next(found) for _ in cases]


def _all_of(cases: list[Callable[[], Outcome]], workers: int) -> list[Outcome]:
    """Run cases in processes of their own, so many at a time."""
    global _cases
    _cases = cases
    if workers == 1 or len(cases) == 1:
        return [case() for case in cases]
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        return pool.map(_run_case, range(len(cases)), chunksize=1)


_cases: list[Callable[[], Outcome]] = []


def _run_case(number: int) -> Outcome:
    return _cases[number]()


def _row(table: Table, kind: str, found: list[Outcome]) -> None:
    absent = [one for one in found if any(note.startswith("absent") for note in one.notes)]
    count = len(found) - len(absent)
    if not count:
        table.row(kind, absent[0].notes[0], "", "", "", "", None)
        return
    tried = [one for one in found if one not in absent]
    sums = [sum(getattr(one, name) for one in tried) for name in ("is_right", "is_healed", "is_equal")]
    shown = [f"{one}/{count}" for one in sums]
    table.row(kind, str(count), str(sum(one.kills for one in tried)), *shown, max(one.seconds for one in tried))


if __name__ == "__main__":
    run(main)
