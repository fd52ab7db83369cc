"""How many votes the pooled strategy needs in many worlds: recorded votes, and simulated people.

Called by `bench/run worlds`, which builds partita and partita-lab. Recorded votes are looked for in the folder that
PARTITA_DATA names, and left out where there is none.
"""

import argparse
import csv
import json
import os
import subprocess
import sys

from evaluate import Failure, table
from kept import facts, folder_of_today

STRATEGIES = "sort,sort-ordered,pooled"
BUDGET = 4  # The place of the usual number of votes among the points of a pooled strategy.
WORLDS = [
    "base",
    "low noise",
    "high noise",
    "no equal",
    "much equal",
    "heavy-tailed abilities and activity",
    "careless 40%",
    "30% random people",
    "20% always equal",
    "30% always first",
    "10% adversaries",
    "20% adversaries",
    "30% adversaries",
    "15% adversaries, few very active people",
    "pair effects 1.5",
    "pair effects 3",
    "person x item taste",
    "content ties 20%",
    "3 groups",
    "uniform worths",
    "heavy-tailed worths",
    "quarter relevant",
    "forced choice",
    "40-50 items",
    "10-13 items",
    "4-9 items",
]
# What counts as equal in recorded votes.
RECORDED = {"photos, T1": "0.125", "photos, T2": "0.375"}
MEASURES = {"inv": "inversions", "ADR": "adr", "rel": "relations"}


def simulated(program: list[str], lists: int, seed: int, *arguments: str) -> dict:
    command = [*program, "--strategies", STRATEGIES, "--lists", str(lists)]
    command += ["--seed", str(seed), "--format", "json", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE)
    if done.returncode != 0:
        raise Failure(f"{' '.join(command)} ended with {done.returncode}")
    return json.loads(done.stdout)


def share(estimate: dict | None) -> str:
    return "never" if estimate is None else f"{estimate['mean']:.3f}"


def interval(estimate: dict | None, never: float) -> str:
    if estimate is None:
        return "never"
    upper = estimate["upper"]
    end = f"or more, never in {never:.0%}" if upper is None else f"{upper:.3f}"
    return f"{estimate['mean']:.3f} [{estimate['lower']:.3f}-{end}]".replace("-or", " or")


def by(needed: dict, measure: str) -> str:
    """The share by a measure, or by its two references."""
    of_it = [found for name, found in needed.items() if name.split("_")[0] == measure]
    return " / ".join(("<=" if found["at_most"] else "") + share(found["share"]) for found in of_it)


def quality(point: dict) -> str:
    names = (name for measure in MEASURES.values() for name in point if name.split("_")[0] == measure)
    return " ".join(f"{point[name]['mean']:.3f}" for name in names)


def row(name: str, found: dict) -> list[str]:
    sort, ordered, pooled = found["strategies"]
    end, at_budget = sort["points"][-1], pooled["points"][BUDGET]
    beside = pooled["beside"]["sort-ordered"]
    return [
        name,
        f"{end['equal']:.2f}",
        f"{end['votes']['mean']:.0f}",
        quality(end),
        f"{at_budget['votes']['mean'] / end['votes']['mean']:.2f}",
        quality(at_budget),
        f"{at_budget['groups']['mean']:.1f} ({end['groups']['mean']:.1f})",
        interval(pooled["needed_mean"], pooled["needed_mean_never"]),
        *(by(pooled["needed"], measure) for measure in MEASURES.values()),
        by(beside["needed"], "inversions"),
        interval(beside["needed_mean"], beside["needed_mean_never"]),
    ]


HEADER = ["world", "equal", "sort's votes", "its inv ADR rel", "usual share", "pooled there"]
HEADER += ["groups (sort's)", "needed, mean", *MEASURES, "inv beside sort-ordered", "mean beside it"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench/run worlds", description=__doc__)
    parser.add_argument("partita", help=argparse.SUPPRESS)
    parser.add_argument("lab", help=argparse.SUPPRESS)
    parser.add_argument("--lists", type=int, default=400, help="lists in each world (400)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of all that is drawn (1)")
    parser.add_argument("--world", action="append", help="only this world; may be given again")
    parser.add_argument("--no-results", action="store_true", help="print only")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    rows, long = [], []
    if "PARTITA_DATA" in os.environ and not options.world:
        for name, equal in RECORDED.items():
            print(name, file=sys.stderr)
            asked = ["--oracle", "photo-pairs", "--equal", equal]
            program = [options.partita, "judge", "simulate"]
            rows.append(row(name, simulated(program, options.lists, options.seed, *asked)))
    for world in options.world or WORLDS:
        print(world, file=sys.stderr)
        program = [options.lab, "simulate"]
        found = simulated(program, options.lists, options.seed, "--world", world)
        rows.append(row(world, found))
        if found["items"][0] >= 14:
            pooled = found["strategies"][2]
            long.append((pooled["needed_mean"], pooled["beside"]["sort-ordered"]["needed_mean"]))
    within = [
        sum(needed[which] is not None and needed[which]["mean"] <= most for needed in long)
        for which, most in enumerate((0.4, 0.45))
    ]
    children = os.times()
    text = f"""# Votes needed in many worlds

`partita-lab simulate` (photos: `partita campaign simulate`), {options.lists} lists in each world, seed {options.seed}: the votes that the pooled
strategy needs for lists as good as those of the paper's sort (ten votes on each pair), as a share of the
sort's. The mean is over inversions, ADR and relations, with 95% intervals from drawing the lists again;
an interval is open where more than 2.5% of the draws never get there. The last two columns are beside the
sort whose ties are broken by its own net votes, which has the same groups and a better order. `equal` is
the share of the sort's votes that call items equal; `usual share` is 2.4 n log n votes, which
the strategy spends if it is not told otherwise (on 9 items and fewer it spends at least half as many again),
and what comes after it is what it has then. Photos are recorded votes by two
references; lists have 14 to 24 items where the name of the world does not say otherwise. The same people judge
ten lists of a simulated world, which are made as a campaign makes them.

{table(HEADER, rows)}

Worlds of lists of 14 and more items within 0.40 of the paper's votes: {within[0]} of {len(long)};
within 0.45 of those of the sort with its ties broken: {within[1]} of {len(long)}.

CPU time: {children.children_user + children.children_system:.0f} s.

## Where

{table(["", ""], facts(load))}
"""
    print(text)
    if options.no_results:
        return
    folder = folder_of_today()
    (folder / "worlds.md").write_text(text)
    with (folder / "worlds.csv").open("w", newline="") as file:
        csv.writer(file).writerows([HEADER, *rows])


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"bench: {failure}")
