"""with_evalica.py METHOD FILE: prints the CPU seconds evalica took, then `item score`, the best first.

METHOD is bradley_terry or newman, both by its compiled solver. Only the call is timed, on lists that
are ready, neither the imports nor reading the file.
"""

import csv
import sys
import time

import evalica

method, file = sys.argv[1:]
winners = {"left": evalica.Winner.X, "right": evalica.Winner.Y, "tie": evalica.Winner.Draw}
with open(file, newline="") as lines:
    rows = list(csv.reader(lines))[1:]
left = [row[0] for row in rows]
right = [row[1] for row in rows]
winner = [winners[row[2]] for row in rows]
work = getattr(evalica, method)
work(left[:1], right[:1], winner[:1], solver="pyo3")  # what only the first call does

start = time.process_time()
found = work(left, right, winner, solver="pyo3")
print(time.process_time() - start)
for item, score in found.scores.sort_values(ascending=False).items():
    print(item, float(score))
