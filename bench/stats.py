"""Tests the same samples with partita's statistics and with SciPy and compares what both cost.

Called by `bench/run stats`, which installs SciPy and builds crates/stats/examples/bench_stats.rs.
"""

import argparse
import csv
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from evaluate import BENCH, ROOT, Failure, table
from kept import facts, folder_of_today

SEED = 35
PAIRS = 2000
SIZE = 35
RANGES = 60
WORKLOAD = 1_200_000  # decisions
ALPHA = 0.05


@dataclass
class Tool:
    name: str
    run: Callable[[], tuple[float, list[float]]]  # CPU seconds a test, answers
    costs: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)

    @property
    def cost(self) -> float:
        return statistics.median(self.costs)


# The data ---------------------------------------------------------------------------------------


def pairs(unit: float = 1) -> list[str]:
    """35 values from 1 to 12 against 35 that are moved up by 0 to 4, all times the unit."""
    rng = random.Random(SEED)
    lines = []
    for number in range(PAIRS):
        shift = number % 5
        x = [rng.randint(1, 12) for _ in range(SIZE)]
        y = [min(12, rng.randint(1, 12) + shift) for _ in range(SIZE)]
        lines.append(" ".join(str(unit * value) for value in x + y))
    return lines


def ranges() -> list[str]:
    """q, the number of groups and finite degrees of freedom."""
    rng = random.Random(SEED)
    return [
        f"{rng.uniform(1, 7):.3f} {rng.randint(2, 20)} {rng.randint(3, 120)}" for _ in range(RANGES)
    ]


# Running a tool ---------------------------------------------------------------------------------


def process(*command: str) -> tuple[float, list[str]]:
    """The CPU seconds of a new process, and its lines."""
    with tempfile.TemporaryFile() as out:
        started = subprocess.Popen(command, stdout=out)
        _, status, usage = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        if started.returncode != 0:
            raise Failure(f"{Path(command[0]).name} ended with {started.returncode}")
        out.seek(0)
        return usage.ru_utime + usage.ru_stime, out.read().decode().splitlines()


def ours(name: str, example: Path, task: str, file: Path, passes: int) -> Tool:
    def run() -> tuple[float, list[float]]:
        # Everything but the passes is the same in both processes, and cancels out.
        once, _ = process(str(example), task, str(file), "1")
        often, lines = process(str(example), task, str(file), str(1 + passes))
        if often <= once:
            raise Failure(f"{name}: {passes} passes are too few to measure")
        return (often - once) / (passes * len(lines)), [float(line) for line in lines]

    return Tool(name, run)


def scipy(name: str, task: str, file: Path) -> Tool:
    def run() -> tuple[float, list[float]]:
        _, lines = process(sys.executable, str(BENCH / "peers/with_scipy.py"), task, str(file))
        seconds, *answers = map(float, lines)
        return seconds / len(answers), answers

    return Tool(name, run)


def run_rounds(tools: list[Tool], rounds: int) -> None:
    """Round 0 warms up and is not kept; each round starts with another tool."""
    for number in range(rounds + 1):
        turn = number % len(tools)
        for tool in tools[turn:] + tools[:turn]:
            cost, tool.answers = tool.run()
            if number:
                tool.costs.append(cost)
            stage = f"round {number} of {rounds}" if number else "warm-up"
            print(f"{stage}: {tool.name}: {cost * 1e6:.3f} us CPU a test", file=sys.stderr)


# The report -------------------------------------------------------------------------------------


def difference(tool: Tool, peer: Tool, tolerance: float) -> float:
    """The largest difference of an answer; neither it nor that of the sums may be too large."""
    if len(tool.answers) != len(peer.answers):
        raise Failure(f"{tool.name} and {peer.name} gave different numbers of answers")
    off = max(abs(a - b) for a, b in zip(tool.answers, peer.answers))
    sums = abs(math.fsum(tool.answers) - math.fsum(peer.answers))
    if not max(off, sums) <= tolerance:
        raise Failure(
            f"{tool.name} is off {peer.name} by {off:.3g}, the sums by {sums:.3g}; the cost of a"
            " wrong answer is no result, so none is kept"
        )
    return off


def check_decisions(decide: Tool, exact: Tool) -> None:
    for decision, p in zip(decide.answers, exact.answers, strict=True):
        if abs(p - ALPHA) > 1e-12 and (decision == 1) != (p < ALPHA):
            raise Failure(f"decided {decision} where the exact p-value is {p}")


def verdict(met: bool) -> str:
    return "met" if met else "MISSED"


def versus(ours: Tool, peers: list[Tool], tolerance: float) -> str:
    rows = [[ours.name, f"{ours.cost * 1e6:.3f}", "1", f"{math.fsum(ours.answers):.10f}", ""]]
    for peer in peers:
        off = difference(ours, peer, tolerance)
        rows.append(
            [
                peer.name,
                f"{peer.cost * 1e6:.3f}",
                f"{peer.cost / ours.cost:.1f}",
                f"{math.fsum(peer.answers):.10f}",
                f"{off:.1e}",
            ]
        )
    header = ["tool", "CPU us a test", "CPU / partita", "sum of p-values", "off partita by"]
    return table(header, rows)


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench/run stats", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds kept after the warm-up (5)")
    parser.add_argument("--no-results", action="store_true", help="print only, write no folder")
    parser.add_argument("--example", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds has to be 1 or more")
    load_before = os.getloadavg()[0]

    with tempfile.TemporaryDirectory() as folder:
        samples, tails = Path(folder) / "pairs.txt", Path(folder) / "ranges.txt"
        samples.write_text("\n".join(pairs()) + "\n")
        # Small whole numbers are tallied by partita and not sorted; these have the same ties and are.
        scaled = Path(folder) / "scaled.txt"
        scaled.write_text("\n".join(pairs(0.37)) + "\n")
        tails.write_text("\n".join(ranges()) + "\n")
        example = options.example.resolve()
        normal = ours("partita, normal", example, "normal", samples, 500)
        sorting = ours("partita, normal, ranks x 0.37", example, "normal", scaled, 200)
        exact = ours("partita, exact", example, "exact", samples, 2)
        decide = ours("partita, decide", example, "decide", samples, 30)
        tukey = ours("partita, studentized range", example, "tukey", tails, 100)
        loop = scipy("scipy, a call a test", "loop", samples)
        one_call = scipy("scipy, one call for all", "one-call", samples)
        scipy_tukey = scipy("scipy, studentized range", "tukey", tails)
        tools = [normal, sorting, loop, one_call, exact, decide, tukey, scipy_tukey]
        run_rounds(tools, options.rounds)
    check_decisions(decide, exact)

    normal_table = versus(normal, [sorting, loop, one_call], 1e-9)
    tukey_table = versus(tukey, [scipy_tukey], 1e-8)
    ratio, tukey_ratio = loop.cost / normal.cost, scipy_tukey.cost / tukey.cost
    rejected = sum(decide.answers) / len(decide.answers)
    summary = f"""# Statistical tests beside SciPy

Written by `bench/run stats --rounds {options.rounds}`: CPU time, medians over the rounds. Only
ratios within this one run mean anything. [stats.csv](stats.csv) has every round.

## Mann-Whitney, normal law with both corrections

{PAIRS} pairs of {SIZE} and {SIZE} tied ranks, two-sided.

{normal_table}

SciPy called once a test takes {ratio:.0f} times partita's CPU time (target: at least 100,
{verdict(ratio >= 100)}); given all pairs in one call, {one_call.cost / normal.cost:.1f} times.
Whole numbers as small as ranks are partita's best case, since it tallies them; the same samples
times 0.37 have to be sorted, and SciPy's times above are {loop.cost / sorting.cost:.0f} and \
{one_call.cost / sorting.cost:.1f} times that.

## Mann-Whitney, exact given the ties

The same pairs; SciPy has no such test, so there is no peer.

{exact.cost * 1e6:.1f} us a test (target: below 1 ms, {verdict(exact.cost < 1e-3)}).

## Mann-Whitney, decisions only

The same pairs, one-sided at {ALPHA}; {rejected:.1%} are rejected, and all decisions are those of
the exact p-values.

{decide.cost * 1e6:.2f} us a decision; the exact p-value takes {exact.cost / decide.cost:.1f} times as \
long. Extrapolated, not
measured: {decide.cost * WORKLOAD:.1f} s for {WORKLOAD:,} decisions on one core, if as many of them
are close to the level as here.

## Studentized range, finite degrees of freedom

{RANGES} tails with q from 1 to 7, 2 to 20 groups and 3 to 120 degrees of freedom.

{tukey_table}

SciPy takes {tukey_ratio:.0f} times partita's CPU time (target: at least 100, \
{verdict(tukey_ratio >= 100)}).

## Where

{table(["", ""], facts(load_before, "scipy", "numpy"))}
"""
    print(summary)
    if not options.no_results:
        kept = folder_of_today()
        (kept / "stats.md").write_text(summary)
        with open(kept / "stats.csv", "w", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["tool", "round", "cpu_us_per_test"])
            for tool in tools:
                for number, cost in enumerate(tool.costs, 1):
                    rows.writerow([tool.name, number, f"{cost * 1e6:.4f}"])
        print(f"kept in {kept.relative_to(ROOT)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        sys.exit(1)
