"""with_pytrec_eval.py QRELS RUN... prints `file nDCG@10` for each run, by pytrec_eval-terrier."""

import sys

import pytrec_eval

qrels, *runs = sys.argv[1:]
with open(qrels) as lines:
    evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), {"ndcg_cut.10"})
for file in runs:
    with open(file) as lines:
        scores = evaluator.evaluate(pytrec_eval.parse_run(lines))
    print(file, sum(query["ndcg_cut_10"] for query in scores.values()) / len(scores))
