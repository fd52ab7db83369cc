"""Runs large campaigns with `partita campaign` and measures what replaying their logs costs.

    python3 bench/campaign.py target/release/partita

People are simulated; the answers depend on a fixed seed. The target is half a second of CPU time
for 200,000 judgments, whatever the strategy.
"""

import argparse
import csv
import io
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from evaluate import ROOT, table
from kept import facts, folder_of_today


def cpu_of(command: list[str]) -> tuple[float, bytes]:
    """The CPU seconds of a command, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.stdout


def campaign(partita: str, folder: Path, lists: int, items: int, strategy: str) -> tuple[Path, int]:
    """A campaign that was run to its end, and its number of judgments."""
    rng = random.Random(2010)
    candidates = folder / "candidates.csv"
    rows = [f"q{query},i{item}" for query in range(lists) for item in range(items)]
    candidates.write_text("query,item\n" + "\n".join(rows) + "\n")
    log = folder / "campaign.jsonl"
    subprocess.run(
        [partita, "judge", "init", log, "-c", candidates, "--strategy", strategy],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    judgments = 0
    while True:
        cpu, asked = cpu_of([partita, "judge", "next", str(log)])
        pairs = list(csv.DictReader(io.StringIO(asked.decode())))
        if not pairs:
            return log, judgments
        answers = folder / "answers.csv"
        with answers.open("w") as file:
            file.write("query,a,b,assessor,answer,seconds,time\n")
            for pair in pairs:
                a, b = int(pair["a"][1:]) // 2, int(pair["b"][1:]) // 2
                for person in rng.sample(range(1000), int(pair["votes"])):
                    answer = "a" if a < b else "b" if a > b else "equal"
                    if rng.random() < 0.4:
                        answer = rng.choice(["a", "b", "equal"])
                    judgments += 1
                    time = 1_700_000_000 + judgments
                    file.write(
                        f"{pair['query']},{pair['a']},{pair['b']},w{person},{answer},"
                        f"{rng.randint(5, 60)},{time}\n"
                    )
        added, _ = cpu_of([partita, "judge", "add", str(log), str(answers)])
        print(f"batch of {len(pairs)} pairs: next {cpu:.2f} s, add {added:.2f} s", file=sys.stderr)


# The strategy, the number of lists and of items each: about 200,000 judgments.
CAMPAIGNS = [("sort", 1750, 7), ("pooled", 1010, 20)]
TARGET = 0.5
# The commands that the target is about: those that show no list of a model.
OPENED = {"sort": ["verify", "replay", "status", "next"], "pooled": ["verify", "next"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("partita", help="the program")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-results", action="store_true", help="print only, write no folder")
    options = parser.parse_args()
    load_before = os.getloadavg()[0]
    rows, logs, verdicts = [], [], []
    for strategy, lists, items in CAMPAIGNS:
        with tempfile.TemporaryDirectory() as folder:
            log, judgments = campaign(options.partita, Path(folder), lists, items, strategy)
            assert judgments >= 200_000, "too few judgments"
            size = log.stat().st_size / 1e6
            logs.append(
                f"- {strategy}: {judgments:,} judgments over {lists:,} lists of {items} items, "
                f"a log of {size:.1f} MB"
            )
            for command in ["verify", "replay", "status", "next", "export"]:
                runs = [
                    cpu_of([options.partita, "judge", command, str(log)])
                    for _ in range(options.rounds)
                ]
                assert len({printed for _, printed in runs}) == 1, "the same log, other bytes"
                costs = [cpu for cpu, _ in runs]
                median = statistics.median(costs)
                pace = median / judgments * 200_000
                ends = f"{min(costs):.3f} to {max(costs):.3f}"
                verdict = ""
                if command in OPENED[strategy]:
                    verdict = "met" if pace < TARGET else "MISSED"
                    verdicts.append(verdict)
                rows.append([strategy, command, f"{median:.3f}", ends, f"{pace:.3f}", verdict])
    head = ["strategy", "command", "CPU s", "range", "for 200,000", f"below {TARGET} s"]
    summary = f"""# A campaign rebuilt from its log

Written by `bench/run campaign`: campaigns that were run to their end with simulated people; CPU time of the whole
process, median of {options.rounds}.

{chr(10).join(logs)}

{table(head, rows)}

The target is that 200,000 judgments are read, their chain checked, and folded in less than {TARGET} s of CPU time:
{"met" if set(verdicts) == {"met"} else "MISSED where it says so"}. `verify` does just that. With the strategy pooled, commands that show lists also fit a
model of the votes of every list, which is no part of the target.

## Where

{table(["", ""], facts(load_before))}
"""
    print(summary)
    if not options.no_results:
        kept = folder_of_today()
        (kept / "campaign.md").write_text(summary)
        print(f"kept in {kept.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
