"""How many votes good lists need, and what fitting the model of all votes costs beside evalica.

Called by `bench/run judging`, which installs evalica and builds partita, partita-lab and
crates/judging/examples/bench_judging.rs. Recorded votes are looked for in the folder that PARTITA_DATA names.
"""

import argparse
import csv
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from evaluate import BENCH, ROOT, Failure, table
from kept import facts, folder_of_today
from stats import Tool, process, run_rounds, verdict

STRATEGIES = [
    "sort",
    "sort:3/5/7",
    "sort-curtailed",
    "sort-predictive:0.8/0.9/0.95",
    "sort-refitted:0.6/0.7/0.8/0.9/1",
    "random",
    "pooled",
]
SEEDS = [1, 2, 3]
# What counts as equal, and from which mean vote on a difference matters.
THRESHOLDS = {"T1": ("0.125", "0.2"), "T2": ("0.375", "0.13")}
SIZES = ["14:24", "10:13"]
# The share of the paper's votes in the mean over measures, and by the worst of them.
TARGETS = {
    ("pooled", "14:24"): (0.45, 0.5),
    ("pooled", "10:13"): (0.55,),
    ("sort-refitted", "14:24"): (0.65,),
}
TURK = (
    "query=Input.query,a=Input.docA,b=Input.docB,assessor=WorkerId,answer=Answer.radio,equal=s,"
    "time=CreationTime,ended=SubmitTime,seconds=WorkTimeInSeconds"
)
JUDGMENTS = 100_000
ITEMS = 200
TIES = 0.1
PASSES = 10


def answer_of(program: Path, *arguments: str) -> dict:
    done = subprocess.run([program, *arguments, "--format", "json"], stdout=subprocess.PIPE)
    if done.returncode != 0:
        raise Failure(f"{program.name} {' '.join(arguments[:2])} ended with {done.returncode}")
    return json.loads(done.stdout)


def percent(share: float) -> str:
    return f"{100 * share:.0f}%"


# Quality against votes --------------------------------------------------------------------------


@dataclass
class Study:
    """Strategies side by side on the same lists."""

    seed: int
    threshold: str
    sizes: str
    found: dict

    @property
    def items(self) -> str:
        return self.sizes.replace(":", "-")

    def strategy(self, name: str) -> dict:
        return next(s for s in self.found["strategies"] if s["strategy"].split(":")[0] == name)

    @property
    def votes(self) -> float:
        """The paper's votes on a list."""
        return self.strategy("sort")["points"][-1]["votes"]["mean"]

    def worst(self, strategy: dict) -> float | None:
        shares = [needed["share"] for needed in strategy["needed"].values()]
        return None if None in shares else max(share["mean"] for share in shares)

    def inversions(self, name: str) -> float:
        """The share of inverted pairs at the paper's number of votes."""
        points = self.strategy(name)["points"]
        at = [(point["votes"]["mean"], point["inversions"]["mean"]) for point in points]
        for (x0, y0), (x1, y1) in zip(at, at[1:]):
            if x0 <= self.votes <= x1:
                return y0 + (y1 - y0) * (self.votes - x0) / (x1 - x0)
        return at[-1][1] if at[-1][0] <= self.votes else at[0][1]

    def reduction(self, name: str) -> float:
        return 1 - self.inversions(name) / self.inversions("sort")

    def check_curtailment(self) -> float:
        """The share of votes that curtailment asks; its lists have to be those of the sort."""
        whole, curtailed = (self.strategy(n)["points"][-1] for n in ("sort", "sort-curtailed"))
        for measure in measures_of(whole):
            if measure != "consistency" and whole[measure] != curtailed[measure]:
                raise Failure(f"curtailment changed the lists: {measure} is another")
        return curtailed["votes"]["mean"] / self.votes


def measures_of(point: dict) -> list[str]:
    spent = {"votes", "equal", "pairs", "rounds", "cost", "hours"}
    return [name for name in point if name not in spent]


def studies(partita: Path, seeds: list[int], lists: int) -> list[Study]:
    made = []
    for seed in seeds:
        for sizes in SIZES:
            for threshold, (equal, matters) in THRESHOLDS.items():
                print(f"seed {seed}, {sizes} items, {threshold}", file=sys.stderr)
                arguments = ["judge", "simulate", "--oracle", "photo-pairs", "--strategies", ",".join(STRATEGIES)]
                arguments += ["--lists", str(lists), "--items", sizes, "--seed", str(seed)]
                arguments += ["--equal", equal, "--matters", matters]
                made.append(Study(seed, threshold, sizes, answer_of(partita, *arguments)))
    return made


def draw(partita: Path, file: Path, lists: int) -> None:
    """Draws quality against votes for lists of the larger size, by the first threshold."""
    arguments = ["judge", "simulate", "--oracle", "photo-pairs", "--lists", str(lists), "--figure", str(file)]
    strategies = "sort:3/5/7/10,sort-refitted:0.7/0.8/0.9,random,pooled"
    answer_of(partita, *arguments, "--strategies", strategies)


def interval(estimate: dict) -> str:
    return f"{percent(estimate['mean'])} ({percent(estimate['lower'])}-{percent(estimate['upper'])})"


def needed_rows(study: Study) -> list[list[str]]:
    rows = []
    for name in ["pooled", "random", "sort-refitted"]:
        strategy = study.strategy(name)
        mean, worst = strategy["needed_mean"], study.worst(strategy)
        least = any(needed["at_most"] for needed in strategy["needed"].values())
        goal = ""
        if limits := TARGETS.get((name, study.sizes)):
            found = [math.inf if mean is None else mean["mean"], math.inf if worst is None else worst]
            met = all(share <= limit for share, limit in zip(found, limits))
            goal = f"{', worst '.join(map(percent, limits))}: {verdict(met)}"
        rows.append(
            [
                study.items,
                study.threshold,
                str(study.seed),
                name,
                "never" if mean is None else ("at most " if least else "") + interval(mean),
                "never" if worst is None else percent(worst),
                goal,
            ]
        )
    return rows


def inversion_rows(study: Study) -> list[list[str]]:
    row = [study.items, study.threshold, str(study.seed), f"{study.votes:.0f}"]
    row.append(f"{study.inversions('sort'):.3f}")
    row += [f"{study.inversions('pooled'):.3f}", percent(study.reduction("pooled"))]
    row += [verdict(study.reduction("pooled") >= 1 / 3)]
    row += [f"{study.inversions('sort-refitted'):.3f}", percent(study.reduction("sort-refitted"))]
    return [row]


def curve(study: Study) -> str:
    rows = []
    for strategy in study.found["strategies"]:
        for point in strategy["points"]:
            inv = point["inversions"]
            rows.append(
                [
                    strategy["strategy"],
                    f"{point['votes']['mean']:.0f}",
                    f"{point['votes']['mean'] / study.votes:.2f}",
                    f"{inv['mean']:.3f} ({inv['lower']:.3f}-{inv['upper']:.3f})",
                    *(f"{point[m]['mean']:.3f}" for m in ("adr_1", "adr_2", "relations_1", "relations_2")),
                    f"{point['groups']['mean']:.1f}",
                ]
            )
    header = ["strategy", "votes", "share", "inversions"]
    header += ["ADR 1", "ADR 2", "relations 1", "relations 2", "groups"]
    return table(header, rows)


def photo_report(made: list[Study], lists: int) -> str:
    header = ["items", "equal", "seed", "strategy", "votes needed / the paper's", "worst measure", "target"]
    needed = table(header, [row for study in made for row in needed_rows(study)])
    header = ["items", "equal", "seed", "the paper's votes", "its inversions", "pooled", "fewer"]
    header += ["a third fewer", "refitted", "fewer"]
    inversions = table(header, [row for study in made for row in inversion_rows(study)])
    saved = ", ".join(
        f"{study.check_curtailment():.3f} ({study.items}, {study.threshold}, seed {study.seed})"
        for study in made
    )
    curves = "\n\n".join(
        f"### {study.items} items, {study.threshold}\n\n{curve(study)}"
        for study in made
        if study.seed == made[0].seed
    )
    return f"""## Votes needed for the paper's quality

Recorded votes about photos, {lists} lists each, the truth of a list from comparisons with photos
outside it. T1 calls the weakest level equal, T2 the two weakest. The share is the mean over
inversions, ADR and relations by two references, with 95% intervals from drawing the lists again; they
are conditional on these 200 photos. The aim of pooled lists of 14-24 items is 35%.

{needed}

## Inverted pairs at the paper's number of votes

{inversions}

## Curtailment

The lists are the same by every measure, for these shares of the votes: {saved}.

## Quality against votes, seed {made[0].seed}

{curves}
"""


# Real answers about music -----------------------------------------------------------------------


def archive_report(found: dict) -> str:
    rows = [
        [
            str(point["votes"]),
            *(f"{point[way]['direction']:.3f}" for way in ("own", "pooled")),
            *(f"{point[way]['mean_square']:.3f}" for way in ("own", "pooled")),
        ]
        for point in found["points"]
    ]
    points = table(["votes", "own direction", "pooled direction", "own MSE", "pooled MSE"], rows)
    stops = table(
        ["stop", "votes asked", "decisions kept", "reversed"],
        [
            [stop["stop"], f"{stop['asked']:.3f}", f"{stop['kept']:.1%}", f"{stop['reversed']:.2%}"]
            for stop in found["stops"]
        ],
    )
    curtailed = next(s for s in found["stops"] if s["stop"] == "curtailed")
    if curtailed["kept"] != 1:
        raise Failure("curtailment changed a decision")
    shares = {name: needed["share"] for name, needed in found["needed"].items()}
    words = "; ".join(
        f"by {name.replace('_', ' ')} "
        + ("never" if share is None else f"{interval(share)}, at most half: {verdict(share['mean'] <= 0.5)}")
        for name, share in shares.items()
    )
    return f"""## The archive of Urbano et al. (2010)

{found['held_out']} held-out answers to {found['pairs']} pairs, foretold by some of 5 others: by the pair's own
votes with a uniform prior, and by the model of as many votes on every pair of the list; means over {found['splits']} random
orders, seed {found['seed']}.

{points}

Votes that the model needs to be as good as 5 of the pair's own: {words}.

Stopping early, every pair with all of its recorded answers in random orders:

{stops}
"""


# Speed ------------------------------------------------------------------------------------------


def judgments() -> str:
    """Bradley-Terry's model with worths N(0, 1), and a tenth of ties."""
    rng = random.Random(ITEMS)
    worths = [rng.gauss(0, 1) for _ in range(ITEMS)]
    lines = ["left,right,winner"]
    for _ in range(JUDGMENTS):
        a, b = rng.sample(range(ITEMS), 2)
        if rng.random() < TIES:
            winner = "tie"
        else:
            winner = "left" if rng.random() < 1 / (1 + math.exp(worths[b] - worths[a])) else "right"
        lines.append(f"i{a:03},i{b:03},{winner}")
    return "\n".join(lines) + "\n"


def places(lines: list[str]) -> list[float]:
    """The place of each item, in the order of their names."""
    order = [line.split()[0] for line in lines]
    return [float(order.index(name)) for name in sorted(order)]


def tau(a: list[float], b: list[float]) -> float:
    """Kendall's."""
    pairs = list(combinations(range(len(a)), 2))
    return sum(math.copysign(1, (a[i] - a[j]) * (b[i] - b[j])) for i, j in pairs) / len(pairs)


def speed_tools(options: argparse.Namespace, file: Path) -> list[Tool]:
    def fit() -> tuple[float, list[float]]:
        # Everything but the passes is the same in both processes, and cancels out.
        once, _ = process(str(options.example), str(file), "1")
        often, lines = process(str(options.example), str(file), str(1 + PASSES))
        return (often - once) / PASSES, places(lines)

    build = [str(options.partita), "truth", "build", "--preferences", str(file), "--by", "pooled"]
    _, details = process(*build, "--details", "--format", "json")
    worths = next(iter(json.loads("\n".join(details))["model"].values()))["worths"]
    order = places(sorted(worths, key=worths.get, reverse=True))

    def to_list() -> tuple[float, list[float]]:
        cpu, _ = process(*build)
        return cpu, order

    def evalica(method: str, whole: bool = False) -> Tool:
        def run() -> tuple[float, list[float]]:
            driver = BENCH / "peers/with_evalica.py"
            cpu, lines = process(sys.executable, str(driver), method, str(file))
            return cpu if whole else float(lines[0]), places(lines[1:])

        return Tool(f"evalica, {method}{', the whole process' if whole else ''}", run)

    return [
        Tool("partita, from names to worths", fit),
        evalica("bradley_terry"),
        evalica("newman"),
        Tool("partita truth build --by pooled, the whole process", to_list),
        evalica("bradley_terry", whole=True),
    ]


def speed_report(tools: list[Tool]) -> str:
    ours, peer = tools[0], tools[1]
    rows = []
    for tool in tools:
        agreement = tau(ours.answers, tool.answers)
        if agreement < 0.95:
            raise Failure(f"{tool.name} orders the items otherwise: Kendall's tau is {agreement:.3f}")
        rows.append([tool.name, f"{tool.cost:.4f}", f"{tool.cost / ours.cost:.2f}", f"{agreement:.4f}"])
    return f"""## Fitting the model, beside evalica

{JUDGMENTS:,} judgments over {ITEMS} items by Bradley-Terry's model with {TIES:.0%} of ties. partita fits
Davidson's model with its scale estimated and the covariance of all worths; evalica's methods give
worths alone, from lists that are ready. Both go from names to worths; the last two rows go from the
file to the answer and start a process.

{table(["what", "CPU s", "CPU / partita", "Kendall's tau with partita"], rows)}

No slower than evalica's bradley_terry: {verdict(ours.cost <= peer.cost)}.
"""


def write_rows(file: Path, made: list[Study], archive: dict | None, tools: list[Tool]) -> None:
    with open(file, "w", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow("what,seed,equal,items,strategy,point,measure,mean,lower,upper".split(","))
        for study in made:
            where = ["photo-pairs", study.seed, study.threshold, study.sizes]
            for strategy in study.found["strategies"]:
                shares = {name: needed["share"] for name, needed in strategy["needed"].items()}
                shares["mean"] = strategy["needed_mean"]
                for name, share in shares.items():
                    if share:
                        ends = [f"{share[end]:.5f}" for end in ("mean", "lower", "upper")]
                        rows.writerow([*where, strategy["strategy"], "needed", name, *ends])
                for number, point in enumerate(strategy["points"], 1):
                    for name in ["votes", *measures_of(point)]:
                        ends = [f"{point[name][end]:.5f}" for end in ("mean", "lower", "upper")]
                        rows.writerow([*where, strategy["strategy"], number, name, *ends])
        if archive:
            where = ["archive", archive["seed"], "", ""]
            for point in archive["points"]:
                for way in ("own", "pooled"):
                    for name, error in point[way].items():
                        rows.writerow([*where, way, point["votes"], name, f"{error:.5f}", "", ""])
            for name, needed in archive["needed"].items():
                if share := needed["share"]:
                    ends = [f"{share[end]:.5f}" for end in ("mean", "lower", "upper")]
                    rows.writerow([*where, "pooled", "needed", name, *ends])
            for stop in archive["stops"]:
                for name in ("asked", "kept", "reversed"):
                    rows.writerow([*where, stop["stop"], "", name, f"{stop[name]:.5f}", "", ""])
        for tool in tools:
            for number, cost in enumerate(tool.costs, 1):
                rows.writerow(["speed", "", "", "", tool.name, number, "cpu_s", f"{cost:.5f}", "", ""])


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench/run judging", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds kept after the warm-up (5)")
    parser.add_argument("--lists", type=int, default=300, help="lists of each study (300)")
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS, help="seeds of the studies (1 2 3)")
    parser.add_argument("--no-results", action="store_true", help="print only, write no folder")
    parser.add_argument("--partita", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--lab", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--example", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rounds < 1 or options.lists < 1:
        parser.error("--rounds and --lists have to be 1 or more")
    load_before = os.getloadavg()[0]
    data = Path(os.environ.get("PARTITA_DATA", "/nonexistent"))
    parts = []

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pairs.csv"
        file.write_text(judgments())
        tools = speed_tools(options, file)
        run_rounds(tools, options.rounds)
    made: list[Study] = []
    if (data / "photo-pairs").is_dir():
        made = studies(options.partita, options.seeds, options.lists)
        parts.append(photo_report(made, options.lists))
    else:
        parts.append("PARTITA_DATA has no photo-pairs, so there is no study of votes.\n")
    archive = None
    answers = data / "sigir2010-crowdsourcing/judgments.csv"
    if answers.is_file():
        arguments = ["predict", "--preferences", str(answers), "--map", TURK, "--trials", "100"]
        archive = answer_of(options.lab, *arguments)
        parts.append(archive_report(archive))
    else:
        parts.append("PARTITA_DATA has no sigir2010-crowdsourcing, so no answers were foretold.\n")
    parts.append(speed_report(tools))
    parts.append(f"## Where\n\n{table(['', ''], facts(load_before, 'evalica'))}\n")
    title = """# Lists from votes: quality, predictions, speed

Written by `bench/run judging`; [judging.csv](judging.csv) has every number, and
[judging-inversions.svg](judging-inversions.svg) shows quality against votes.
"""
    summary = "\n".join([title, *parts])
    print(summary)
    if not options.no_results:
        kept = folder_of_today()
        (kept / "judging.md").write_text(summary)
        write_rows(kept / "judging.csv", made, archive, tools)
        if made:
            draw(options.partita, kept / "judging-inversions.svg", options.lists)
        print(f"kept in {kept.relative_to(ROOT)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        sys.exit(1)
