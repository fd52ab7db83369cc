"""with_scipy.py TASK FILE: prints the CPU seconds SciPy took, then its answers, one a line.

Only the calls are timed, neither the imports nor reading the file.
"""

import sys
import time

import numpy as np
from scipy.stats import mannwhitneyu, studentized_range

TEST = {"method": "asymptotic", "use_continuity": True}


def loop(x, y):
    return [mannwhitneyu(a, b, **TEST).pvalue for a, b in zip(x, y)]


def one_call(x, y):
    return mannwhitneyu(x, y, axis=1, **TEST).pvalue


def tukey(rows):
    return [studentized_range.sf(q, k, df) for q, k, df in rows]


task, file = sys.argv[1:]
data = np.loadtxt(file)
if task == "tukey":
    work, given = tukey, [data.tolist()]
else:
    work, given = {"loop": loop, "one-call": one_call}[task], np.split(data, 2, axis=1)
work(*(part[:1] for part in given))  # what only the first call does

start = time.process_time()
answers = work(*given)
print(time.process_time() - start)
for answer in answers:
    print(float(answer))
