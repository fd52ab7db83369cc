"""reliability_with_scipy.py TASK FILE TRIALS: the study of Urbano et al. (2011) with NumPy and SciPy.

Prints the CPU seconds that one sample of each size took (`size seconds power`), from TRIALS samples
of each; neither imports nor reading are timed.

wilcoxon         one call of SciPy for all pairs, in the direction of the mean difference
friedman-tukey   ranks of a sample in one call, closed formulas, one critical value computed before
wilcoxon-loop    the way it is usually written: a call of SciPy for each pair
"""

import itertools
import sys
import time
import warnings

import numpy as np
from scipy import stats

warnings.filterwarnings("ignore")  # samples of ties and zeros are what they are


def wilcoxon(sample, a, b):
    d = sample[:, a] - sample[:, b]
    sign = np.where(d.mean(0) < 0, -1.0, 1.0)
    found = stats.wilcoxon(d * sign, alternative="greater", axis=0, method="asymptotic", correction=True)
    return np.count_nonzero(found.pvalue < 0.01)


def wilcoxon_loop(sample, a, b):
    significant = 0
    for one, other in zip(a, b):
        d = sample[:, one] - sample[:, other]
        if not d.any():
            continue
        found = stats.wilcoxon(d if d.mean() > 0 else -d, alternative="greater")
        significant += found.pvalue < 0.01
    return significant


def friedman_tukey(sample, a, b):
    n, k = sample.shape
    ranks = stats.rankdata(sample, axis=1)
    variance = ((ranks - (k + 1) / 2) ** 2).sum() / (n * (k - 1))
    mean = ranks.mean(0)
    return np.count_nonzero(np.abs(mean[a] - mean[b]) > CRITICAL * np.sqrt(variance / n))


task, file, trials = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(file) as lines:
    systems = len(lines.readline().split(",")) - 2
scores = np.loadtxt(file, delimiter=",", skiprows=1, usecols=range(2, 2 + systems))
pairs = np.array(list(itertools.combinations(range(systems), 2))).T
CRITICAL = stats.studentized_range.ppf(0.95, systems, np.inf)
work = {
    "wilcoxon": wilcoxon,
    "friedman-tukey": friedman_tukey,
    "wilcoxon-loop": wilcoxon_loop,
}[task]
random = np.random.default_rng(7)
work(scores, *pairs)  # what only the first call does
for size in range(5, 101, 5):
    significant = 0
    start = time.process_time()
    for _ in range(trials):
        sample = scores[random.choice(len(scores), size, replace=False)]
        significant += work(sample, *pairs)
    seconds = (time.process_time() - start) / trials
    print(size, seconds, significant / trials / len(pairs[0]))
