"""Builds and audits many lists from many people's rankings, and says what that cost.

Called by `bench/run truth`, which installs SciPy and builds partita. There is no peer that makes
such lists; SciPy's tests of the same pairs by the normal law are given as a measure of the machine.
"""

import argparse
import csv
import os
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.stats import mannwhitneyu, rankdata

from evaluate import ROOT, Failure, table
from kept import facts, folder_of_today
from stats import process, verdict

SEED = 2010
LISTS, ITEMS, ASSESSORS = 1000, 50, 35
SHORT = 0.3  # of the items that the least patient assessor ranks, where some are left unranked
JUDGED_LISTS, JUDGED_ITEMS, JUDGES = 24, 22, 9
REPLICATES = 1000
ALPHA = 0.25
CHECKED = 2  # lists of each file that are built again, slowly
PEER_LISTS = 20
TESTS = LISTS * ITEMS * (ITEMS - 1) // 2

Ranks = dict[str, list[dict[str, float]]]  # by query, of each assessor, by item


@dataclass
class Task:
    name: str
    arguments: list[str]
    costs: list[float] = field(default_factory=list)
    out: list[str] = field(default_factory=list)

    @property
    def cost(self) -> float:
        return statistics.median(self.costs)


# The data ---------------------------------------------------------------------------------------


def make(file: Path, lists: int, items: int, assessors: int, share: float) -> Ranks:
    """Everyone sees the items' qualities with noise as large as they differ."""
    rng = random.Random(SEED)
    found: Ranks = {}
    with open(file, "w") as out:
        out.write("query,assessor,item,rank\n")
        for query in range(lists):
            quality = [rng.gauss(0, 1) for _ in range(items)]
            of_query = found.setdefault(f"q{query}", [])
            for assessor in range(assessors):
                order = sorted(range(items), key=lambda i: quality[i] + rng.gauss(0, 1))
                ranked = int(items * (share + (1 - share) * rng.random()))
                of_query.append({f"i{i}": float(r) for r, i in enumerate(order[:ranked], 1)})
                for rank, item in enumerate(order, 1):
                    given = rank if rank <= ranked else ""
                    out.write(f"q{query},a{assessor},i{item},{given}\n")
    return found


def skating(folder: Path) -> tuple[str, list[str]]:
    """The lists whose assessors are drawn again: real ones if they are here."""
    data = os.environ.get("PARTITA_DATA")
    files = sorted(Path(data, "skating").glob("*.[st]oc")) if data else []
    if files:
        return f"the {len(files)} skating lists of PrefLib", [str(file) for file in files]
    made = folder / "judged.csv"
    make(made, JUDGED_LISTS, JUDGED_ITEMS, JUDGES, 1)
    what = f"{JUDGED_LISTS} made lists of {JUDGED_ITEMS} items and {JUDGES} judges"
    return what, [str(made)]


# The answers, slowly ----------------------------------------------------------------------------


def p_less(x: list[float], y: list[float]) -> float:
    """The exact probability, given the ties, of a rank sum of x as small as the one there is."""
    doubled = np.rint(2 * rankdata(x + y)).astype(int)
    observed = int(doubled[: len(x)].sum())
    # Ways to choose j values with a sum of s.
    ways = np.zeros((len(x) + 1, doubled.sum() + 1))
    ways[0, 0] = 1
    for value in doubled:
        ways[1:, value:] += ways[:-1, :-value].copy()
    return ways[-1, : observed + 1].sum() / ways[-1].sum()


def any_1(ranks: list[dict[str, float]]) -> list[list[str]]:
    """The list of the function any-1: paper 000, section 3, by its definition."""
    items = sorted({item for row in ranks for item in row})
    samples = {item: [row[item] for row in ranks if item in row] for item in items}
    items.sort(key=lambda i: (statistics.median(samples[i]), statistics.fmean(samples[i]), i))
    groups: list[list[str]] = []
    for item in items:
        others = [other for other in groups[-1] if len(samples[other]) > 1] if groups else []
        # A sample of one rank is told apart from nothing.
        testable = others if len(samples[item]) > 1 else []
        p = [p_less(samples[other], samples[item]) for other in testable]
        if any(abs(value - ALPHA) < 1e-9 for value in p):
            raise Failure("a p-value as close to the level as rounding; take another seed")
        if not groups or any(value < ALPHA for value in p):
            groups.append([])
        groups[-1].append(item)
    return groups


def check_answers(out: list[str], ranks: Ranks) -> None:
    built: dict[str, list[list[str]]] = {}
    for query, item, group in csv.reader(out[1:]):
        groups = built.setdefault(query, [])
        if int(group) > len(groups):
            groups.append([])
        groups[-1].append(item)
    if len(built) != LISTS:
        raise Failure(f"{len(built)} lists were built, not {LISTS}")
    for query in list(ranks)[:CHECKED]:
        if built[query] != any_1(ranks[query]):
            raise Failure(f"{query} is not the list of the exact tests, so nothing is kept")


def scipy_seconds(ranks: Ranks) -> float:
    """CPU seconds of SciPy's tests of all pairs of all lists, one call a list, extrapolated."""
    pairs = np.triu_indices(ITEMS, 1)
    tables = []
    for query in list(ranks)[:PEER_LISTS]:
        items = sorted(ranks[query][0])
        tables.append(np.array([[row[item] for row in ranks[query]] for item in items]))
    start = time.process_time()
    for values in tables:
        mannwhitneyu(values[pairs[0]], values[pairs[1]], axis=1, method="asymptotic")
    return (time.process_time() - start) * LISTS / PEER_LISTS


# The report -------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench/run truth", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="rounds kept after the warm-up (3)")
    parser.add_argument("--no-results", action="store_true", help="print only, write no folder")
    parser.add_argument("--partita", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds has to be 1 or more")
    load_before = os.getloadavg()[0]

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        full, some = folder / "full.csv", folder / "some.csv"
        ranks = {
            "all ranked": make(full, LISTS, ITEMS, ASSESSORS, 1),
            "some unranked": make(some, LISTS, ITEMS, ASSESSORS, SHORT),
        }
        judged, files = skating(folder)
        tasks = [
            Task(f"{command}, {name}", ["truth", command, "--rankings", str(file)])
            for name, file in zip(ranks, [full, some])
            for command in ["build", "check"]
        ]
        draw = ["truth", "check", "--bootstrap", str(REPLICATES), "--rankings", *files]
        bootstrap = Task("bootstrap", draw)
        tasks.append(bootstrap)
        peer: list[float] = []
        for number in range(options.rounds + 1):
            turn = number % len(tasks)
            for task in tasks[turn:] + tasks[:turn]:
                seconds, task.out = process(str(options.partita), *task.arguments)
                if number:
                    task.costs.append(seconds)
                stage = f"round {number} of {options.rounds}" if number else "warm-up"
                print(f"{stage}: {task.name}: {seconds:.2f} s CPU", file=sys.stderr)
            peer.append(scipy_seconds(ranks["all ranked"]))
        for task in tasks:
            if task.name.startswith("build"):
                check_answers(task.out, ranks[task.name.removeprefix("build, ")])

    scipy = statistics.median(peer[1:])
    rows = []
    for name in ranks:
        build, check = (task for task in tasks if task.name.endswith(name))
        both = build.cost + check.cost
        met = verdict(both < 60)
        rows.append([name, f"{build.cost:.1f}", f"{check.cost:.1f}", f"{both:.1f}", met])
    header = ["rankings", "build, CPU s", "check, CPU s", "both", "target: below 60"]
    summary = f"""# Ground truths from rankings

Written by `bench/run truth --rounds {options.rounds}`: CPU time of whole processes, from the file to
the answer, medians over the rounds. [truth.csv](truth.csv) has every round.

## {LISTS:,} lists of {ITEMS} items, {ASSESSORS} assessors

{TESTS:,} pairs of items. `partita truth build` tests them and builds every list by any-1 at alpha
{ALPHA}; `partita truth check` does so too, and audits every list with 1 and with 2 tails. All
decisions are those of the exact test: the first {CHECKED} lists of each file were built again from
exact p-values by an independent implementation, and are the same.

{table(header, rows)}

No peer builds such lists. As a measure of the machine: SciPy's {TESTS:,} two-sided tests of the same
pairs, all ranked, by the normal law alone and in one call a list, take {scipy:.1f} s (extrapolated
from {PEER_LISTS} lists).

## {REPLICATES:,} replicates of the assessors

{bootstrap.cost:.1f} s of CPU time for `partita truth check --bootstrap {REPLICATES}` on {judged}, which
uses all cores.

## Where

{table(["", ""], facts(load_before, "scipy", "numpy"))}
"""
    print(summary)
    if not options.no_results:
        kept = folder_of_today()
        (kept / "truth.md").write_text(summary)
        with open(kept / "truth.csv", "w", newline="") as file:
            lines = csv.writer(file, lineterminator="\n")
            lines.writerow(["task", "round", "cpu_s"])
            for task in tasks:
                for number, cost in enumerate(task.costs, 1):
                    lines.writerow([task.name, number, f"{cost:.3f}"])
            for number, cost in enumerate(peer[1:], 1):
                lines.writerow(["scipy, extrapolated", number, f"{cost:.3f}"])
        print(f"kept in {kept.relative_to(ROOT)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        sys.exit(1)
