"""How fast Verovio reads incipits: `with_verovio.py FILE COUNT`, a line of Plaine & Easie each. Prints the CPU seconds
of the calls alone."""

import itertools
import sys
import time
from pathlib import Path

import verovio

verovio.enableLog(verovio.LOG_OFF)
tool = verovio.toolkit()
tool.setInputFrom("pae")
with Path(sys.argv[1]).open() as file:
    lines = [line.split("\t", 1)[-1].rstrip("\n") for line in itertools.islice(file, int(sys.argv[2]))]


def fields(line: str) -> str:
    """The same incipit with a field per line, which is how Verovio takes it."""
    head, data = line.split(" ", 1)
    clef = head.removeprefix("%").split("@")[0].split("$")[0]
    return f"@clef:{clef}\n@keysig:\n@timesig:\n@data:{data}\n"


texts = [fields(line) for line in lines]
tool.loadData(texts[0])
start = time.process_time()
read = sum(tool.loadData(text) for text in texts)
spent = time.process_time() - start
if read != len(texts):
    sys.exit(f"Verovio read {read} of {len(texts)} incipits")
print(spent)
