"""Makes the inputs of `bench/run evaluate` from a fixed seed, once.

    inputs.py FOLDER

  qrels.txt             1,000 queries, 100 judged documents each, grades 0 to 4
  big.run               one system, 1,000 documents a query: 1,000,000 lines
  system00.run to 19    twenty systems, from poor to good, 100 documents a query each

Scores are rounded to thousandths: some tie, as they do in real runs, and tools that hold a score in
single precision (trec_eval does) see the same order as those that hold it in double.
"""

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
    systems = [open(folder / f"system{s:02d}.run", "w") for s in range(SYSTEMS)]
    for query in range(QUERIES):
        topic = 1001 + query
        names = [document(query, number) for number in range(POOL)]
        grades = rng.choice(len(SHARES), JUDGED, p=SHARES)
        for number in rng.permutation(JUDGED).tolist():
            qrels.write(f"{topic} 0 {names[number]} {grades[number]}\n")
        worth = np.zeros(POOL)
        worth[:JUDGED] = grades + 0.8  # a judged document was retrieved by some system
        for file, tag, skill, length in [
            (big, "big", 1.0, LONG),
            *((file, f"system{s:02d}", skills[s], SHORT) for s, file in enumerate(systems)),
        ]:
            for rank, (number, score) in enumerate(ranking(rng, worth, skill, length), 1):
                file.write(f"{topic} Q0 {names[number]} {rank} {score:.6f} {tag}\n")
    for file in [qrels, big, *systems]:
        file.close()


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    make(target)
