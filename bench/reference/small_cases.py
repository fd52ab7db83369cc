#!/usr/bin/env python3
"""Small random results scored by ir_measures: the witness of the measures' unit tests.

    small_cases.py > ir_measures.json

Every case has judgments {document: grade}, a result [document, ...], best first, and a value for
each measure below. The same seed gives the same cases. Two things are said in the output's
"notes" because a reader of the numbers needs them: which definition each measure follows, and
that gdeval.pl, which ir_measures ships and calls for ERR and exponential nDCG, is run here with
its printed digits raised from 5 to 17.
"""

import json
import logging
import pkgutil
import random
import sys
from importlib.metadata import version

import ir_measures
import pytrec_eval
from ir_measures import AP, ERR, RBP, RR, Bpref, Compat, Judged, P, Qrel, R, ScoredDoc, nDCG

CASES = 60
SEED = 20100

MEASURES = {
    "AP": AP,
    "AP@5": AP @ 5,
    "AP(rel=2)": AP(rel=2),
    "RR": RR,
    "RR@3": RR @ 3,
    "P@5": P @ 5,
    "P(rel=2)@5": P(rel=2) @ 5,
    "R@5": R @ 5,
    "RBP(p=0.8)": RBP(p=0.8, rel=1),
    "RBP(p=0.5,rel=2)": RBP(p=0.5, rel=2),
    "ERR@5": ERR @ 5,
    "ERR@10": ERR @ 10,
    "bpref": Bpref,
    "Compat(p=0.95)": Compat(p=0.95),
    "Compat(p=0.8)": Compat(p=0.8),
    "Judged@5": Judged @ 5,
    "nDCG@10": nDCG @ 10,
    "nDCG(dcg='exp-log2')@10": nDCG(dcg="exp-log2") @ 10,
}

NOTES = {
    "all": "a case with an empty result, like one with nothing relevant, scores 0 in ir_measures",
    "RBP": "binary, (1-p) * sum of p^(i-1) over the relevant; RBP(p=0.8) is computed with rel=1",
    "ERR": "highest grade 4: the chance of stopping is (2^g - 1) / 16; a grade below 0 counts as 0",
    "bpref": "trec_eval's; a document with a negative grade counts as unjudged",
    "Compat": "normalized; the overlap is summed to the longer of the result and the ideal list,"
    " which holds the grades above 0, each grade in the order of the result",
    "Judged": "divided by min(cutoff, results); a negative grade counts as judged",
    "nDCG": "grade / log2(i + 1), or (2^grade - 1) / log2(i + 1); a grade below 0 gains 0",
}


def widen_gdeval() -> None:
    """Has gdeval.pl print full precision; its arithmetic stays as it is."""
    plain = pkgutil.get_data

    def wide(package: str, resource: str) -> bytes:
        script = plain(package, resource)
        if resource == "bin/gdeval.pl":
            assert script.count(b"%.5f,%.5f") == 1, "gdeval.pl is not the script this file knows"
            script = script.replace(b"%.5f,%.5f", b"%.17g,%.17g")
        return script

    pkgutil.get_data = wide


def random_case(rng: random.Random, number: int) -> dict:
    pool = [f"d{i:02d}" for i in range(24)]
    grades = [-1, 0, 1, 2, 3, 4] if number % 3 == 0 else [0, 1, 2, 3, 4]
    weights = ([2] if number % 3 == 0 else []) + [6, 4, 3, 2, 1]
    if number % 15 == 7:  # nothing relevant
        grades, weights = [-1, 0], [1, 3]
    judged = rng.sample(pool, rng.randint(1, 16))
    length = 0 if number % 20 == 13 else rng.randint(1, 15)
    # Every other result leans towards judged documents, so that not most of them are unjudged.
    source = pool if number % 2 else judged + rng.sample(pool, 6)
    result = rng.sample(sorted(set(source)), min(length, len(set(source))))
    return {
        "judgments": dict(zip(judged, rng.choices(grades, weights, k=len(judged)))),
        "result": result,
    }


def score(cases: list[dict]) -> dict[str, str]:
    """Adds the values to the cases; returns who computed each measure."""
    qrels, run = [], []
    for number, case in enumerate(cases, 1):
        qrels += [Qrel(str(number), item, grade) for item, grade in case["judgments"].items()]
        size = len(case["result"])
        run += [ScoredDoc(str(number), item, size - i) for i, item in enumerate(case["result"])]

    software = {
        "pytrec_eval": f"pytrec_eval-terrier {pytrec_eval.__version__}",
        "cwl_eval": f"cwl-eval {version('cwl-eval')}",
        "gdeval": "gdeval.pl 1.2a",
    }
    source = {}
    for name, measure in MEASURES.items():
        provider = next(
            p
            for p in ir_measures.DefaultPipeline.providers
            if p.supports(measure) and p.is_available()
        )
        by = software.get(provider.NAME, f"its own {provider.NAME}")
        source[name] = f"ir_measures {ir_measures.__version__} ({by})"
        values = {m.query_id: float(m.value) for m in provider.iter_calc([measure], qrels, run)}
        for number, case in enumerate(cases, 1):
            case.setdefault("values", {})[name] = values[str(number)]
    return source


def main() -> int:
    logging.getLogger("ir_measures").setLevel(logging.ERROR)
    widen_gdeval()
    rng = random.Random(SEED)
    cases = [random_case(rng, number) for number in range(CASES)]
    source = score(cases)
    print('{"source":' + json.dumps(source) + ',\n"notes":' + json.dumps(NOTES) + ',\n"cases":[')
    print(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
    print("]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
