"""with_ranx.py QRELS RUN... prints `file nDCG@10` for each run, by ranx."""

import sys

from ranx import Qrels, Run, evaluate

qrels, *runs = sys.argv[1:]
truth = Qrels.from_file(qrels, kind="trec")
for file in runs:
    print(file, float(evaluate(truth, Run.from_file(file, kind="trec"), "ndcg@10")))
