"""Measures what an answer and the next question cost a campaign that many people drive at once.

    python3 bench/latency.py --example target/release/examples/bench_latency

The example drives the engine in memory, without a log or a network, and prints the time of every
step: an answer checked and applied, and the next task for its person, with all planning that is done
for it. All runs do the same steps, and the least time of each is taken: what other programs do meanwhile
disturbs a step now and then, but hardly in every run. The target is a median below 1 ms and a 99th percentile below 3 ms for both together with
100 lists of 50 items and 500 people, and the same from 10 to 1,000 lists.
"""

import argparse
import csv
import os
import statistics
import subprocess
import sys

from evaluate import ROOT, table
from kept import facts, folder_of_today

# What the engine took when every answer invalidated its list and `next_batch` looked at all lists: a
# list fitted twice, a batch of all lists and a scan of every pair ever asked, 100 lists of 50 items.
BEFORE = {"pooled": 1.05 + 2.2 + 5.8, "sort": 0.05 + 0.7 + 1.9}


def steps(example: str, strategy: str, lists: int, options):
    """The milliseconds of each step, the least of all rounds, with how many lists were planned, and
    the milliseconds in which the events of 100,000 answers are folded again, and in which they are read
    from their log."""
    sizes = [lists, options.items, options.people, lists * options.answers]
    command = [example, strategy, *map(str, sizes)]
    rounds = []
    for _ in range(options.rounds):
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        rounds.append([tuple(map(int, line.split(","))) for line in printed.splitlines()])
    ends = [found.pop() for found in rounds]
    assert len({tuple(plans for *_, plans in found) for found in rounds}) == 1, "other steps"
    again = min(time / answers for time, answers, _ in ends) * 100_000 / 1e6
    reading = min(time / answers for _, answers, time in ends) * 100_000 / 1e6
    return (again, reading), [
        (min(a for a, _, _ in step) / 1e6, min(b for _, b, _ in step) / 1e6, step[0][2])
        for step in zip(*rounds)
    ]


def quantile(values: list[float], share: float) -> float:
    """The smallest value that at least this share of them does not exceed."""
    return sorted(values)[max(0, -int(-share * len(values) // 1) - 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--example", required=True, help="the program of crates/judging/examples")
    parser.add_argument("--items", type=int, default=50)
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--answers", type=int, default=600, help="answers per list")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lists", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--strategies", nargs="+", default=["pooled", "sort"])
    parser.add_argument("--no-results", action="store_true", help="print only, write no folder")
    options = parser.parse_args()
    load_before = os.getloadavg()[0]
    rows, figures = [], {}
    for strategy in options.strategies:
        for lists in options.lists:
            (again, reading), found = steps(options.example, strategy, lists, options)
            both = [answer + after for answer, after, _ in found]
            plain = [answer + after for answer, after, plans in found if not plans]
            planned = len(found) - len(plain)
            figures[strategy, lists] = (statistics.median(both), quantile(both, 0.99))
            rows.append([
                strategy,
                f"{lists:,}",
                f"{len(found):,}",
                f"{statistics.median(answer for answer, _, _ in found):.4f}",
                f"{statistics.median(after for _, after, _ in found):.4f}",
                f"{statistics.median(both):.4f}",
                f"{quantile(both, 0.95):.3f}",
                f"{quantile(both, 0.99):.3f}",
                f"{quantile(plain, 0.99):.4f}",
                f"{planned / len(found):.1%}",
                f"{again:.0f}",
                f"{reading:.0f}",
            ])
            print(f"{strategy}, {lists} lists: {rows[-1][5]} ms", file=sys.stderr)
    verdicts = []
    for (strategy, lists), (median, last) in figures.items():
        if lists == 100:
            met = "met" if median < 1 and last < 3 else "MISSED"
            verdicts.append(
                f"- {strategy}, 100 lists: median {median:.3f} ms, 99th percentile {last:.2f} ms "
                f"(target 1 and 3 ms: {met}); before, about {BEFORE.get(strategy, 0):.1f} ms an answer"
            )
    header = [
        "strategy", "lists", "answers", "answer in", "next out", "both", "95%", "99%",
        "99% without planning", "answers with planning",
        "replay of 100,000, by the clock", "reading them from their log",
    ]
    summary = f"""# An answer in, the next question out

Written by `bench/run latency`: {options.people:,} people at once, lists of {options.items} items, the engine in memory
(no log, no network); milliseconds, for each step the least of {options.rounds} runs, medians where no percentile is named.
Planning a list (a fit for pooled, a run of the sort) is charged to the person for whom it is done.

{table(header, rows)}

{chr(10).join(verdicts)}

## Where

{table(["", ""], facts(load_before))}
"""
    print(summary)
    if not options.no_results:
        kept = folder_of_today()
        (kept / "latency.md").write_text(summary)
        with (kept / "latency.csv").open("w", newline="") as file:
            csv.writer(file).writerows([header, *rows])
        print(f"kept in {kept.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
