#!/usr/bin/env python3
"""AP, RR and nDCG@10 of every run of a TREC folder, query by query, by trec_eval's own C code.

    pytrec_eval_trec_dl_2021.py FOLDER > reference.json

FOLDER holds qrels.txt and runs/*.run. The output is one JSON object,
{"source": ..., "runs": {run: {query: [AP, RR, nDCG@10]}}}, with every number in the shortest form
that reads back exactly. trec_eval compares scores in single precision and breaks ties by the
document's name, descending; a test against these values has to do the same.
"""

import json
import sys
from pathlib import Path

import pytrec_eval

MEASURES = {"map": "map", "recip_rank": "recip_rank", "ndcg_cut.10": "ndcg_cut_10"}


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    files = sorted(folder.glob("runs/*.run"))
    if not files:
        print(f"expected runs/*.run in {folder}, found none", file=sys.stderr)
        return 2
    with open(folder / "qrels.txt") as lines:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), set(MEASURES))

    runs = {}
    for file in files:
        with open(file) as lines:
            scored = evaluator.evaluate(pytrec_eval.parse_run(lines))
        runs[file.stem] = {
            query: [scored[query][name] for name in MEASURES.values()] for query in sorted(scored)
        }
    reference = {"source": f"pytrec_eval-terrier {pytrec_eval.__version__}", "runs": runs}
    json.dump(reference, sys.stdout, separators=(",", ":"))
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
