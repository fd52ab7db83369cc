"""Measures how many answers are wasted when people answer in spreadsheets.

    python3 bench/spreadsheet.py target/release/examples/spreadsheet

Simulated people answer a campaign in two ways: each on a sheet of their own (`judge next --people`), or
all of them on the one sheet of what is to be asked (`judge next`). An answer that is no vote is wasted.
The target is at most 10% with sheets of one's own.
"""

import argparse
import os
import subprocess

from evaluate import table
from kept import facts, folder_of_today


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("example", help="the program of crates/lab/examples")
    parser.add_argument("--lists", type=int, default=11)
    parser.add_argument("--items", type=int, default=11)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--questions", type=int, default=10, help="questions per sheet")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--no-results", action="store_true", help="print only, write no folder")
    options = parser.parse_args()
    load_before = os.getloadavg()[0]
    sums: dict[tuple[str, str], list[int]] = {}
    sizes = [options.lists, options.items, options.people, options.questions]
    for seed in range(1, options.seeds + 1):
        command = [options.example, *map(str, sizes), str(seed)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        for line in printed.splitlines():
            strategy, way, *numbers = line.split(",")
            kept = sums.setdefault((strategy, way), [0, 0, 0])
            sums[strategy, way] = [a + int(b) for a, b in zip(kept, numbers)]
    rows = [
        [
            strategy,
            way,
            f"{answers / options.seeds:,.0f}",
            f"{votes / options.seeds:,.0f}",
            f"{1 - votes / answers:.1%}",
            f"{rounds / options.seeds:.1f}",
        ]
        for (strategy, way), (answers, votes, rounds) in sums.items()
    ]
    heading = ["strategy", "sheets", "answers", "votes", "wasted", "rounds"]
    worst = max(1 - v / a for (_, way), (a, v, _) in sums.items() if way == "own sheets")
    verdict = "met" if worst <= 0.10 else "missed"
    text = f"""# Answers in spreadsheets

{options.people} simulated people, {options.lists} lists of {options.items} items, at most {options.questions} questions on a
sheet of one's own; means of {options.seeds} campaigns.

{table(heading, rows)}

The target, at most 10% wasted on sheets of one's own, is {verdict}: {worst:.1%} at most.

{table(["fact", "value"], facts(load_before))}
"""
    print(text)
    if not options.no_results:
        (folder_of_today() / "spreadsheet.md").write_text(text)


if __name__ == "__main__":
    main()
