"""Measures whom `partita campaign screen` finds among people who are known, and whom it accuses wrongly.

    python3 bench/screening.py target/release/examples/screening_rates

Campaigns of 79 people, about 281 pairs and ten votes per pair are simulated with people who listen and
people who do not. Where PARTITA_DATA names the folder that holds `sigir2010-crowdsourcing`, the same kinds
of people are put into the archive of Urbano et al. (2010). The target is that fewer than 3% of honest
people with five answers or more have a signal, in every world.
"""

import argparse
import collections
import csv
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from evaluate import ROOT, table
from kept import facts, folder_of_today

BUCKETS = [(5, 14), (15, 39), (40, 10**9)]
BUCKET_NAMES = ["5 to 14", "15 to 39", "40 and more"]
TARGET = 0.03


def archive(folder: Path) -> Path | None:
    """The recorded answers as a plain table, where there are any."""
    data = os.environ.get("PARTITA_DATA")
    source = Path(data) / "sigir2010-crowdsourcing" / "judgments.csv" if data else None
    if source is None or not source.exists():
        return None
    words = {"a": "a", "b": "b", "s": "equal"}
    kept = folder / "archive.csv"
    with source.open(encoding="latin-1") as file, kept.open("w") as out:
        out.write("query,a,b,assessor,answer,seconds\n")
        for row in csv.DictReader(file):
            if row["Answer.radio"] in words:
                names = [row[f"Input.{name}"] for name in ("query", "docA", "docB")]
                answer = words[row["Answer.radio"]]
                cells = [*names, row["WorkerId"], answer, row["WorkTimeInSeconds"]]
                out.write(",".join(cells) + "\n")
    return kept


def measured(example: str, campaigns: int, seed: int, only: str, folder: Path) -> list[dict]:
    """A row per person who gave five answers or more."""
    command = [example, str(campaigns), str(seed), "--only", only]
    recorded = archive(folder)
    if recorded:
        command += ["--archive", str(recorded)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    rows = csv.DictReader(io.StringIO(done.stdout))
    return [row for row in rows if int(row["answers"]) >= BUCKETS[0][0]]


def share(rows: list[dict]) -> str:
    """The share of people with a signal."""
    if not rows:
        return "-"
    return f"{sum(row['signals'] != '' for row in rows) / len(rows):.2f}"


def percent(rows: list[dict]) -> str:
    """The same as a percentage."""
    return f"{100 * flagged(rows):.1f}%" if rows else "-"


def flagged(rows: list[dict]) -> float:
    """The same as a number."""
    return sum(row["signals"] != "" for row in rows) / max(1, len(rows))


def at_three_percent(rows: list[dict], column: str) -> str:
    """The share of the bad below the value that 3% of the honest are below."""
    honest = sorted(float(row[column]) for row in rows if row["bad"] == "0")
    bad = [float(row[column]) for row in rows if row["bad"] == "1"]
    if not bad:
        return "-"
    limit = honest[int(TARGET * len(honest))]
    return f"{sum(value < limit for value in bad) / len(bad):.2f}"


def most_frequent(rows: list[dict]) -> str:
    """The signals of these people, the most frequent first."""
    counts = collections.Counter(kind for row in rows for kind in row["signals"].split())
    return ", ".join(kind for kind, _ in counts.most_common(3)) or "-"


def rates(worlds: dict[tuple, list[dict]]) -> tuple[list[list[str]], list[list[str]]]:
    """A row per world: one for where all are honest, one for where some are not."""
    honest_rows, bad_rows = [], []
    for (crowd, abilities, kind, part), rows in worlds.items():
        agreement = sum(float(row["agreement"]) for row in rows) / len(rows)
        honest = [row for row in rows if row["bad"] == "0"]
        bad = [row for row in rows if row["bad"] == "1"]
        def inside(of: list[dict], ends: tuple[int, int]) -> list[dict]:
            return [row for row in of if ends[0] <= int(row["answers"]) <= ends[1]]
        start = [crowd, f"{agreement:.2f}"]
        if kind == "nobody":
            by_bucket = [percent(inside(honest, ends)) for ends in BUCKETS]
            honest_rows.append(
                [*start, abilities, str(len(honest)), *by_bucket, percent(honest), most_frequent(honest)]
            )
        else:
            by_bucket = [share(inside(bad, ends)) for ends in BUCKETS]
            busy = percent(inside(honest, BUCKETS[2]))
            bad_rows.append(
                [*start, kind, f"{100 * float(part):.0f}%", str(len(bad)), *by_bucket,
                 most_frequent(bad), percent(honest), busy]
            )
    return honest_rows, bad_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("example", help="the example screening_rates")
    parser.add_argument("--campaigns", type=int, default=20, help="campaigns of every world")
    parser.add_argument("--seed", type=int, default=2010)
    parser.add_argument("--only", default="", help="only worlds whose name holds these words")
    parser.add_argument("--no-results", action="store_true", help="print only, write no folder")
    options = parser.parse_args()
    load_before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(
            options.example, options.campaigns, options.seed, options.only, Path(folder)
        )
    worlds: dict[tuple, list[dict]] = {}
    for row in rows:
        key = tuple(row[name] for name in ("crowd", "abilities", "kind", "share"))
        worlds.setdefault(key, []).append(row)
    honest_rows, bad_rows = rates(worlds)
    simulated = {
        key: flagged([row for row in of if row["bad"] == "0"])
        for key, of in worlds.items()
        if key[0] != "recorded"
    }
    worst = max(simulated, key=simulated.get, default=None)
    verdict = "nothing was measured"
    if worst:
        outcome = "met" if simulated[worst] < TARGET else "MISSED"
        verdict = (
            f"Most honest people with a signal in a simulated world: {100 * simulated[worst]:.1f}% "
            f"({', '.join(worst)}; target: below 3%, {outcome})."
        )
    compared = [
        [crowd, kind, f"{100 * float(part):.0f}%",
         *(at_three_percent(of, column)
           for column in ("agreement_z", "pooled_reliability", "sharpness_z"))]
        for (crowd, _, kind, part), of in worlds.items()
        if kind in ("random", "half careless", "random by the crowd's shares", "adversary")
    ]
    summary = f"""# Whom screening finds

Written by `bench/run screening`: {options.campaigns} campaigns of every world (seed {options.seed}), each of 79 people
of unequal diligence, 11 lists of 11 items, the published sort and ten votes per pair. People with five
answers or more are counted. The crowd `published` has the noise to which `judge simulate` calibrates its
people; `easier` has a third of it; `recorded` is the archive of Urbano et al. (2010), of whose people nobody
knows who listened. No clips, no gold but the query itself in the archive, no repeats.

## Where everybody is honest: who has a signal

{table(["crowd", "agreement", "abilities", "people", *BUCKET_NAMES, "all", "signals"], honest_rows)}

## Where some are not: the share of them who have a signal, by their number of answers

{table(["crowd", "agreement", "who", "of the people", "people", *BUCKET_NAMES, "signals", "honest with a signal", "of them, 40 and more"], bad_rows)}

{verdict}

## The share found where 3% of the honest would be accused, by one number alone

{table(["crowd", "who", "of the people", "z of agreement", "pooled reliability", "z of sharpness"], compared)}

## Where

{table(["", ""], facts(load_before))}
"""
    print(summary)
    if not options.no_results:
        kept = folder_of_today()
        (kept / "screening.md").write_text(summary)
        print(f"kept in {kept.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
