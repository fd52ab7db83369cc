"""Scores the same runs with partita and with its peers and compares what each of them cost.

Called by `bench/run evaluate`, which installs the peers, makes the inputs and builds partita.
This process stays small and imports nothing heavy: Linux counts the memory of the process that
starts a program into that program's peak.
"""

import argparse
import csv
import datetime
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent
DATA = BENCH / "data"
MEASURE = "nDCG(discount=log2p1)@10"
REFERENCE = "pytrec_eval-terrier"
TOLERANCE = 1e-6

# Tools that order tied scores as trec_eval does have to give the same values; of these two it is
# known that they do not.
OWN_TIES = {
    "ranx": "keeps tied documents in the order of the file",
    "elinor": "orders tied documents by name, ascending (trec_eval: descending)",
}


class Failure(Exception):
    """The benchmark cannot go on; the message says why."""


@dataclass
class Tool:
    name: str
    command: list[str]  # the judgments and the runs follow
    values: Callable[[str], dict[str, float]]  # {run: nDCG@10} from what it prints
    options: list[str] = field(default_factory=list)  # at the end
    one_core: bool = False


@dataclass
class Cost:
    """What one process took, and what it answered: {run: nDCG@10}."""

    user: float
    system: float
    wall: float
    peak: int  # bytes
    values: dict[str, float]

    @property
    def cpu(self) -> float:
        return self.user + self.system


@dataclass
class Case:
    name: str
    title: str
    runs: list[str]
    tools: list[Tool]
    qrels: str = "qrels.txt"
    costs: dict[str, list[Cost]] = field(default_factory=dict)

    def size(self) -> int:
        return sum((DATA / file).stat().st_size for file in [self.qrels, *self.runs])

    def median(self, tool: str, quantity: str) -> float:
        return statistics.median(getattr(cost, quantity) for cost in self.costs[tool])

    def values(self, tool: str) -> dict[str, float]:
        return self.costs[tool][-1].values

    def difference(self, tool: str) -> float:
        """The largest difference from the reference over the runs."""
        expected = self.values(REFERENCE)
        found = self.values(tool)
        if len(self.runs) == len(found) == 1:  # called by its tag or by its file
            found = dict(zip(expected, found.values()))
        if found.keys() != expected.keys():
            raise Failure(f"{tool} scored {sorted(found)}, expected {sorted(expected)}")
        return max(abs(found[run] - expected[run]) for run in expected)


# Running a tool ---------------------------------------------------------------------------------


def measure(tool: Tool, case: Case) -> Cost:
    command = [*tool.command, case.qrels, *case.runs, *tool.options]
    cores = os.sched_getaffinity(0)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        if tool.one_core:  # inherited by the process
            os.sched_setaffinity(0, {min(cores)})
        process = subprocess.Popen(command, stdout=out, stderr=err, cwd=DATA)
        os.sched_setaffinity(0, cores)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        text = out.read().decode()
        if process.returncode != 0:
            talk = err.read().decode(errors="replace").strip()[-2000:]
            raise Failure(
                f"{tool.name} ended with {process.returncode}\n{' '.join(command)}\n{talk}"
            )
    try:
        values = tool.values(text)
    except (KeyError, ValueError) as problem:
        raise Failure(f"{tool.name} answered what cannot be read ({problem!r}):\n{text[:500]}")
    return Cost(usage.ru_utime, usage.ru_stime, wall, usage.ru_maxrss * 1024, values)


def from_partita(text: str) -> dict[str, float]:
    rows = csv.DictReader(text.splitlines())
    return {row["run"]: float(row["value"]) for row in rows if row["kind"] == "mean"}


def from_peer(text: str) -> dict[str, float]:
    lines = (line.rsplit(None, 1) for line in text.splitlines())
    return {Path(file).stem: float(value) for file, value in lines}


def from_wc(_: str) -> dict[str, float]:
    return {}


def run_rounds(cases: list[Case], rounds: int) -> None:
    """Round 0 warms the file cache and compiled code and is not kept."""
    for number in range(rounds + 1):
        for case in cases:
            # Each round starts with another tool, so that none always follows the same one.
            turn = number % len(case.tools)
            for tool in case.tools[turn:] + case.tools[:turn]:
                cost = measure(tool, case)
                if number:
                    case.costs.setdefault(tool.name, []).append(cost)
                stage = f"round {number} of {rounds}" if number else "warm-up"
                print(f"{stage}: {case.name}, {tool.name}: {cost.cpu:.3f} s CPU", file=sys.stderr)


# The report -------------------------------------------------------------------------------------


def table(header: list[str], rows: list[list[str]]) -> str:
    rule = ["---"] + ["---:"] * (len(header) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, rule, *rows])


def case_table(case: Case) -> str:
    """Without partita (--peers-only) the ratios are to the reference."""
    base = "partita" if "partita" in case.costs else REFERENCE
    rows = []
    for tool in case.tools:
        name = tool.name
        cpu, wall = case.median(name, "cpu"), case.median(name, "wall")
        peak = case.median(name, "peak")
        values = case.values(name).values()
        rows.append(
            [
                name,
                f"{cpu:.3f}",
                f"{cpu / case.median(base, 'cpu'):.2f}",
                f"{wall:.3f}",
                f"{cpu / wall:.2f}",
                f"{peak / 1e6:.1f}",
                f"{peak / case.size():.2f}",
                f"{statistics.fmean(values):.8f}" if values else "",
                f"{case.difference(name):.1e}" if values else "",
            ]
        )
    header = ["tool", "CPU s", f"CPU / {base}", "wall s", "CPU / wall", "peak MB"]
    header += ["peak / files", "nDCG@10", f"off {REFERENCE} by"]
    return table(header, rows)


def findings(cases: list[Case]) -> list[str]:
    lines = []
    for case in cases:
        if "partita" not in case.costs:
            continue
        cpu = case.median("partita", "cpu")
        ratios = [
            f"{case.median(tool.name, 'cpu') / cpu:.1f} x {tool.name}"
            for tool in case.tools
            if not tool.name.startswith(("partita", "wc"))
        ]
        lines.append(f"{case.title}: a peer's CPU time to partita's is {', '.join(ratios)}.")
        counting = case.median("wc -l", "cpu")
        lines.append(f"{case.title}: partita takes {cpu / counting:.1f} times the CPU of wc -l.")
        if case.name == "one":
            peak = case.median("partita", "peak") / case.size()
            verdict = "within" if peak <= 2 else "OVER"
            lines.append(
                f"Peak memory is {peak:.2f} times the size of the files: {verdict} the target of 2."
            )
        if "partita, one core" in case.costs:
            wall, alone = case.median("partita", "wall"), case.median("partita, one core", "wall")
            lines.append(
                f"{case.title}: partita keeps {cpu / wall:.2f} cores busy and"
                f" is {alone / wall:.2f} times as fast by the clock as when held to one core."
            )
    for case in cases:
        for tool in case.tools:
            if tool.name in OWN_TIES and case.difference(tool.name) > TOLERANCE:
                lines.append(
                    f"{case.title}: {tool.name} differs by up to {case.difference(tool.name):.1e},"
                    f" because it {OWN_TIES[tool.name]}."
                )
    return lines


def check_answers(cases: list[Case]) -> None:
    for case in cases:
        for tool in case.tools:
            if tool.name == "wc -l" or tool.name in OWN_TIES:
                continue
            if (off := case.difference(tool.name)) > TOLERANCE:
                raise Failure(
                    f"{tool.name} is off {REFERENCE} by {off:.3g} ({case.title}); the cost of a"
                    f" wrong answer is no result, so none is kept\n"
                    f"{tool.name}: {case.values(tool.name)}\n{REFERENCE}: {case.values(REFERENCE)}"
                )


def output_of(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def cpu_model() -> str:
    found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return found[1].strip() if found else platform.machine()


def machine(partita: Path | None, load_before: float) -> list[tuple[str, str]]:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    lock = (BENCH / "peers/elinor/Cargo.lock").read_text()
    facts = [
        ("CPU", cpu_model()),
        ("cores", str(len(os.sched_getaffinity(0)))),
        ("memory", f"{memory:.0f} GiB"),
        ("kernel", f"{platform.system()} {platform.release().split('-')[0]}"),
        ("load average before", f"{load_before:.2f}"),
        ("load average after", f"{os.getloadavg()[0]:.2f}"),
        ("rustc", output_of("rustc", "--version").removeprefix("rustc ")),
        ("Python", platform.python_version()),
    ]
    if partita:
        commit = output_of("git", "rev-parse", "--short", "HEAD")
        changed = output_of(
            "git", "status", "--porcelain", "--", "crates", "Cargo.toml", "Cargo.lock"
        )
        at = f", commit {commit}{' with changes' if changed else ''}" if commit else ""
        facts.append(
            ("partita", output_of(str(partita), "--version").removeprefix("partita ") + at)
        )
    facts += [
        (name, version(name)) for name in (REFERENCE, "ir_measures", "ranx", "numba", "numpy")
    ]
    facts.append(("elinor", re.search(r'name = "elinor"\nversion = "([^"]+)"', lock)[1]))
    facts.append(("wc", (output_of("wc", "--version").splitlines() or ["unknown"])[0]))
    return facts


def slug(text: str) -> str:
    words = re.sub(r"\((r|tm)\)|@.*|\bcpu\b|\bprocessor\b", " ", text.lower())
    return re.sub(r"[^a-z0-9]+", "-", words).strip("-")


def write_results(
    cases: list[Case], facts: list[tuple[str, str]], summary: str, rounds: int
) -> Path:
    day = datetime.date.today().isoformat()
    folder = BENCH / "results" / f"{day}-{slug(cpu_model())}-{len(os.sched_getaffinity(0))}-cores"
    folder.mkdir(parents=True, exist_ok=True)
    about = (
        f"# Evaluating runs, {day}\n\nWritten by `bench/run evaluate --rounds {rounds}`."
        " [summary.md](summary.md) has the medians, [raw.csv](raw.csv) every process."
        " Only ratios within this one run mean anything.\n\n"
    )
    (folder / "README.md").write_text(
        about + table(["", ""], [list(fact) for fact in facts]) + "\n"
    )
    (folder / "summary.md").write_text(summary)
    with open(folder / "raw.csv", "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow("case,round,tool,user_s,system_s,wall_s,peak_bytes,mean_ndcg10".split(","))
        for case in cases:
            for tool, costs in case.costs.items():
                for number, cost in enumerate(costs, 1):
                    mean = statistics.fmean(cost.values.values()) if cost.values else ""
                    times = [f"{t:.6f}" for t in (cost.user, cost.system, cost.wall)]
                    rows.writerow([case.name, number, tool, *times, cost.peak, mean])
    return folder


def all_peers() -> list[Tool]:
    python = str(BENCH / ".venv/bin/python")
    drivers = BENCH / "peers"
    return [
        Tool(REFERENCE, [python, str(drivers / "with_pytrec_eval.py")], from_peer),
        Tool("ir_measures", [python, str(drivers / "with_ir_measures.py")], from_peer),
        Tool("ranx", [python, str(drivers / "with_ranx.py")], from_peer),
        Tool("elinor", [str(drivers / "target/release/peer-elinor")], from_peer),
    ]


def ours(partita: Path | None, one_core: bool = False, single: bool = False) -> list[Tool]:
    if not partita:
        return []
    name = "partita, one core" if one_core else "partita"
    command = [str(partita), "evaluate", "--truth"]
    options = ["-m", MEASURE, "--format", "csv"]
    if single:
        options += ["--score-precision", "single"]
    return [Tool(name, command, from_partita, options, one_core)]


def all_cases(partita: Path | None, peers: list[Tool]) -> list[Case]:
    """Short lines with all peers; other shapes and orders of lines with the reference alone."""
    counting = Tool("wc -l", ["wc", "-l"], from_wc)
    reference = [peer for peer in peers if peer.name == REFERENCE]

    def short(name: str, title: str, runs: list[str], tools: list[Tool]) -> Case:
        return Case(name, title, runs, [counting, *ours(partita), *tools])

    def long(name: str, title: str, runs: list[str], qrels: str = "long-qrels.txt") -> Case:
        tools = [counting, *ours(partita, single=True), *reference]
        return Case(name, title, runs, tools, qrels)

    systems = sorted(file.name for file in DATA.glob("system*.run"))
    one_core = ours(partita, one_core=True)
    real = sorted(str(file.relative_to(DATA)) for file in DATA.glob("dl2021/*.run"))
    cases = [
        short("one", "One run of 1,000,000 lines", ["big.run"], peers),
        long("long", "The same with long names and scores of many digits", ["long.run"]),
        short("shuffled", "Lines in random order", ["big-shuffled.run"], reference),
        short("by rank", "Lines by rank, queries in turn", ["big-by-rank.run"], reference),
        long("long, shuffled", "Long lines in random order", ["long-shuffled.run"]),
        short("twenty", "Twenty runs of 100,000 lines", systems, [*one_core, *peers]),
    ]
    if real:
        title = f"The runs of TREC DL 2021 repeated to a million lines ({len(real)} files)"
        cases.append(long("dl2021", title, real, "dl2021/qrels.txt"))
    return cases


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench/run evaluate", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds kept after the warm-up (5)")
    others = ["ir_measures", "ranx", "elinor"]
    parser.add_argument(
        "--without", action="append", default=[], choices=others, help="leave one out"
    )
    parser.add_argument("--case", action="append", metavar="NAME", help="measure only this case")
    parser.add_argument("--peers-only", action="store_true", help="leave out partita")
    parser.add_argument("--no-results", action="store_true", help="print only, write no folder")
    parser.add_argument("--partita", type=Path, metavar="FILE", help="measure this build, as it is")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds has to be 1 or more")
    load_before = os.getloadavg()[0]

    partita = None
    if not options.peers_only:
        partita = (options.partita or ROOT / "target/release/partita").resolve()
        if not partita.is_file():
            raise Failure(f"there is no {partita}\nhint: cargo build --release")

    peers = [peer for peer in all_peers() if peer.name not in options.without]
    cases = all_cases(partita, peers)
    if options.case:
        cases = [case for case in cases if case.name in options.case]
    run_rounds(cases, options.rounds)
    check_answers(cases)

    parts = [f"## {case.title}\n\n{case_table(case)}\n" for case in cases]
    parts.append("## In words\n\n" + "\n".join(f"- {line}" for line in findings(cases)) + "\n")
    title = f"# nDCG@10, from file to answer\n\nEach figure is the median over rounds: {options.rounds}.\n"
    summary = "\n".join([title, *parts])
    print(summary)
    if partita and not options.no_results:
        facts = machine(partita, load_before)
        folder = write_results(cases, facts, summary, options.rounds)
        print(f"kept in {folder.relative_to(ROOT)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        sys.exit(1)
