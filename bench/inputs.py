"""Makes the inputs of `bench/run evaluate` from a fixed seed, once.

    inputs.py FOLDER

  qrels.txt             1,000 queries, 100 judged documents each, grades 0 to 4
  big.run               one system, 1,000 documents a query: 1,000,000 lines
  big-shuffled.run      its lines in random order
  big-by-rank.run       its lines by rank, so that each follows one of another query
  system00.run to 19    twenty systems, from poor to good, 100 documents a query each
  long-qrels.txt        the same judgments with the long names of TREC's Deep Learning tracks
  long.run              the same documents with such names, tabs, and scores of many digits
  long-shuffled.run     its lines in random order
  dl2021/               where PARTITA_DATA names the folder that holds trec-dl-2021: its judgments,
                        and its runs as often as makes a million lines

Scores of short lines are rounded to thousandths: some tie, as they do in real runs, and tools that
hold a score in single precision (trec_eval does) see the same order as those that hold it in double.
With many digits they do not, so partita is told to compare those in single precision.
"""

import os
import random
import shutil
import sys
from pathlib import Path

import numpy as np

SEED = 2010
QUERIES, POOL, JUDGED = 1000, 3000, 100
SYSTEMS, SHORT, LONG = 20, 100, 1000
SHARES = [0.55, 0.20, 0.13, 0.08, 0.04]  # of the grades 0 to 4 among the judged


def document(query: int, number: int) -> str:
    """A ClueWeb-like name, 25 characters; no two in a query are the same."""
    spread = (number * 611_953 + query * 104729) % 1_000_003
    return f"clueweb12-{query % 1900:04d}wb-{spread // 100_000:02d}-{spread % 100_000:05d}"


def long_document(query: int, number: int) -> str:
    """A name as of TREC DL 2021, 28 characters; no two in a query are the same."""
    spread = (number * 611_953 + query * 104729) % 1_000_003
    return f"msmarco_passage_{spread % 70:02d}_{100_000_000 + 797 * spread}"


def ranking(rng: np.random.Generator, worth: np.ndarray, skill: float, length: int):
    """The `length` best documents by a noisy view of their worth: (number, score) pairs."""
    scores = np.round(12 + skill * worth + rng.normal(0, 1.5, POOL), 3)
    best = np.argsort(-scores, kind="stable")[:length]
    return zip(best.tolist(), scores[best].tolist())


def make(folder: Path) -> None:
    rng = np.random.default_rng(SEED)
    skills = np.linspace(0.4, 2.0, SYSTEMS)
    qrels = open(folder / "qrels.txt", "w")
    big = open(folder / "big.run", "w")
    long_qrels = open(folder / "long-qrels.txt", "w")
    long = open(folder / "long.run", "w")
    systems = [open(folder / f"system{s:02d}.run", "w") for s in range(SYSTEMS)]
    for query in range(QUERIES):
        topic = 1001 + query
        names = [document(query, number) for number in range(POOL)]
        grades = rng.choice(len(SHARES), JUDGED, p=SHARES)
        for number in rng.permutation(JUDGED).tolist():
            qrels.write(f"{topic} 0 {names[number]} {grades[number]}\n")
            name = long_document(query, number)
            long_qrels.write(f"{topic}082 0 {name} {grades[number]}\n")
        worth = np.zeros(POOL)
        worth[:JUDGED] = grades + 0.8  # a judged document was retrieved by some system
        for file, tag, skill, length in [
            (big, "big", 1.0, LONG),
            *((file, f"system{s:02d}", skills[s], SHORT) for s, file in enumerate(systems)),
        ]:
            for rank, (number, score) in enumerate(ranking(rng, worth, skill, length), 1):
                file.write(f"{topic} Q0 {names[number]} {rank} {score:.6f} {tag}\n")
                if file is big:
                    # Of about 16 digits, as neural rankers print them.
                    score = 37 * score / 9
                    name = long_document(query, number)
                    long.write(f"{topic}082\tQ0\t{name}\t{rank}\t{score!r}\tFast_ForwardP_2\n")
    for file in [qrels, big, long_qrels, long, *systems]:
        file.close()
    order = random.Random(SEED)
    for name in ["big", "long"]:
        lines = (folder / f"{name}.run").read_text().splitlines(keepends=True)
        if name == "big":
            by_rank = (lines[rank::LONG] for rank in range(LONG))
            (folder / "big-by-rank.run").write_text("".join("".join(rank) for rank in by_rank))
        order.shuffle(lines)
        (folder / f"{name}-shuffled.run").write_text("".join(lines))


def repeat_real_runs(source: Path, folder: Path) -> None:
    """Copies of the runs under other names, so that each is a file of its own."""
    folder.mkdir()
    shutil.copyfile(source / "qrels.txt", folder / "qrels.txt")
    runs = {file.stem: file.read_bytes() for file in sorted((source / "runs").glob("*.run"))}
    lines = sum(text.count(b"\n") for text in runs.values())
    for copy in range(-(-1_000_000 // lines)):
        for name, text in runs.items():
            (folder / f"{name}-{copy:02d}.run").write_bytes(text)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    make(target)
    real = Path(os.environ.get("PARTITA_DATA", "")) / "trec-dl-2021"
    if real.is_dir():
        repeat_real_runs(real, target / "dl2021")
