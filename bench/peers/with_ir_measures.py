"""with_ir_measures.py QRELS RUN... prints `file nDCG@10` for each run, by ir_measures."""

import sys

import ir_measures
from ir_measures import nDCG

qrels, *runs = sys.argv[1:]
measure = nDCG @ 10
evaluator = ir_measures.evaluator([measure], ir_measures.read_trec_qrels(qrels))
for file in runs:
    print(file, float(evaluator.calc_aggregate(ir_measures.read_trec_run(file))[measure]))
