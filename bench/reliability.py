"""Makes the study of power and stability of Urbano et al. (2011) with partita and with SciPy.

Called by `bench/run reliability`, which installs SciPy and builds partita.
"""

import argparse
import csv
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from evaluate import BENCH, ROOT, Failure, table
from kept import facts, folder_of_today

SEED = 20110712
SYSTEMS, QUERIES, GENRES = 15, 100, 10
TRIALS = 500
# A first sample of each size but the last, a second one up to half of the queries.
SAMPLES = {size: TRIALS * (2 if size <= 50 else 1) for size in range(5, 100, 5)} | {100: 1}
PAIRS = SYSTEMS * (SYSTEMS - 1) // 2
TESTS = {"wilcoxon": ["wilcoxon-normal:0.01", "--tails", "1"], "friedman-tukey": ["friedman-tukey:0.05"]}
# The samples of each size that SciPy is charged with; the rest is extrapolated.
PEER_TRIALS = {"wilcoxon": 10, "friedman-tukey": 50, "wilcoxon-loop": 1}
TARGET = 100


def scores(file: Path) -> None:
    """15 systems of different quality on 100 queries of 10 genres, three decimals as AG@5 has."""
    rng = random.Random(SEED)
    quality = sorted(rng.gauss(0.45, 0.09) for _ in range(SYSTEMS))
    with open(file, "w") as out:
        print("query,stratum", *(f"s{system:02}" for system in range(SYSTEMS)), sep=",", file=out)
        for query in range(QUERIES):
            ease = rng.gauss(0, 0.12)
            cells = (min(1, max(0, mean + ease + rng.gauss(0, 0.11))) for mean in quality)
            print(f"q{query:03}", f"g{query * GENRES // QUERIES}", *(f"{c:.3f}" for c in cells),
                  sep=",", file=out)


def partita(program: Path, file: Path, test: str) -> tuple[float, float, dict[int, float]]:
    """CPU seconds and peak MB of a whole process, from file to answer, and the power by size."""
    command = [program, "reliability", file, "--sizes", "5:100:5", "--trials", str(TRIALS),
               "--test", *TESTS[test], "--format", "json"]
    with tempfile.TemporaryFile() as out:
        started = subprocess.Popen(list(map(str, command)), stdout=out)
        _, status, usage = os.wait4(started.pid, 0)
        if os.waitstatus_to_exitcode(status) != 0:
            raise Failure(f"partita ended with {os.waitstatus_to_exitcode(status)}")
        out.seek(0)
        cells = json.loads(out.read())["cells"]
    cpu = usage.ru_utime + usage.ru_stime
    return cpu, usage.ru_maxrss / 1024, {cell["size"]: cell["power"] for cell in cells}


def scipy(file: Path, task: str) -> tuple[float, dict[int, float]]:
    """CPU seconds of the whole study, extrapolated from some samples of each size; the power."""
    command = [sys.executable, BENCH / "peers/reliability_with_scipy.py", task, file,
               PEER_TRIALS[task]]
    ended = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    if ended.returncode != 0:
        raise Failure(f"SciPy ended with {ended.returncode}")
    seconds, power = 0.0, {}
    for line in ended.stdout.splitlines():
        size, cost, share = line.split()
        seconds += float(cost) * SAMPLES[int(size)]
        power[int(size)] = float(share)
    return seconds, power


def check(task: str, ours: dict[int, float], theirs: dict[int, float]) -> float:
    """All queries are one sample, and must give the same number; the others on average."""
    if round(ours[100] * PAIRS) != round(theirs[100] * PAIRS):
        raise Failure(f"{task}: {ours[100]:.4f} of the pairs are significant by partita, "
                      f"{theirs[100]:.4f} by SciPy; the cost of a wrong answer is no result")
    off = statistics.mean(theirs[size] - ours[size] for size in ours)
    if abs(off) > 0.03:
        raise Failure(f"{task}: the power is off by {off:.4f} on average; none is kept")
    return off


def duration(seconds: float) -> str:
    return f"{seconds:.3f}" if seconds < 10 else f"{seconds:,.1f}"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/run reliability", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--rounds", type=int, default=5, help="rounds kept after the warm-up (5)")
    parser.add_argument("--no-results", action="store_true", help="print only, write no folder")
    parser.add_argument("--partita", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds has to be 1 or more")
    load_before = os.getloadavg()[0]
    program = options.partita.resolve()
    # A peak cannot be told apart from that of the process that starts it, which is ours.
    floor = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    costs: dict[str, list[float]] = {}
    peaks: dict[str, float] = {}
    off: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scores.csv"
        scores(file)
        for number in range(options.rounds + 1):  # round 0 warms up and is not kept
            for test in TESTS:
                cost, peak, power = partita(program, file, test)
                peer, peer_power = scipy(file, test)
                off[test] = check(test, power, peer_power)
                peaks[test] = max(peaks.get(test, 0), peak)
                if number:
                    costs.setdefault(f"partita, {test}", []).append(cost)
                    costs.setdefault(f"NumPy and SciPy, {test}", []).append(peer)
                stage = f"round {number} of {options.rounds}" if number else "warm-up"
                print(f"{stage}: {test}: {cost:.3f} s, SciPy {peer:.1f} s", file=sys.stderr)
        # It takes long and its cost is not in doubt: once, and not in every round.
        loop, _ = scipy(file, "wilcoxon-loop")
    costs["SciPy, a call a pair, wilcoxon"] = [loop]

    median = {name: statistics.median(values) for name, values in costs.items()}
    rows, verdicts = [], []
    for test in TESTS:
        ours, peer = median[f"partita, {test}"], median[f"NumPy and SciPy, {test}"]
        rows.append([f"partita, {test}", duration(ours), "1", f"{peaks[test]:.0f}"])
        rows.append([f"NumPy and SciPy, {test}", duration(peer), f"{peer / ours:.0f}", ""])
        if test == "wilcoxon":
            name = "SciPy, a call a pair, wilcoxon"
            rows.append([name, duration(loop), f"{loop / ours:.0f}", ""])
        verdicts.append(f"{test} {'met' if peer / ours >= TARGET else 'MISSED'}")
    memory = "met" if max(peaks.values()) < 100 else "MISSED"
    shown = table(["", "CPU s", "CPU / partita", "peak MB"], rows)
    means = ", ".join(f"{test} by {value:+.4f}" for test, value in off.items())
    summary = f"""# The study of power and stability beside SciPy

Written by `bench/run reliability --rounds {options.rounds}`: CPU time, medians over the rounds.
Only ratios within this one run mean anything. [reliability.csv](reliability.csv) has every round.

The study of Urbano, Martín, Marrero and Morato (2011) for one measure: {SYSTEMS} systems, {QUERIES}
queries of {GENRES} genres, sizes 5 to 95 with {TRIALS} trials each and all 100 queries, second
samples up to 50 queries: {sum(SAMPLES.values()):,} samples, {sum(SAMPLES.values()) * PAIRS:,} comparisons.

{shown}

partita is charged with the whole process, from the file to the printed answer, with all that it
tells beside power and conflicts. NumPy and SciPy are charged with drawing samples, not stratified,
and testing them, extrapolated from {PEER_TRIALS["wilcoxon"]} (Wilcoxon) and \
{PEER_TRIALS["friedman-tukey"]} (Friedman and Tukey) samples of each size; nothing is counted
after that. A call a pair is the way the study is usually written, from
{PEER_TRIALS["wilcoxon-loop"]} sample of each size, once.

All agree on the pairs that are significant with all queries; the mean power over sizes differs
by what so few samples let expect (last round: {means}).

Target: a {TARGET}th of the CPU time of NumPy and SciPy: {", ".join(verdicts)}. Target: a peak below
100 MB: {memory} (what starts the processes has {floor:.0f} MB itself, and less cannot be told).

## Where

{table(["", ""], facts(load_before, "scipy", "numpy"))}
"""
    print(summary)
    if not options.no_results:
        kept = folder_of_today()
        (kept / "reliability.md").write_text(summary)
        with open(kept / "reliability.csv", "w", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["tool", "round", "cpu_s"])
            for tool, values in costs.items():
                for number, cost in enumerate(values, 1):
                    rows.writerow([tool, number, f"{cost:.4f}"])
        print(f"kept in {kept.relative_to(ROOT)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        sys.exit(1)
