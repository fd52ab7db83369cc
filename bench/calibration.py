"""Measures whether what partita says to be likely happens as often as it says.

    python3 bench/calibration.py target/release/partita-lab

Recorded votes on photos are read from PARTITA_DATA; without it only simulated people answer. Everything
depends on a fixed seed.
"""

import argparse
import json
import os
import subprocess
import sys

from evaluate import ROOT, table
from kept import facts, folder_of_today

# What each setting is called, what is asked of `partita-lab calibration`, and the largest error
# that the probabilities of order and of relations may have.
USUAL = (0.02, 0.04)
STRONG = (0.06, 0.06)
PHOTO_VOTES = os.path.join(os.environ.get("PARTITA_DATA", ""), "photo-pairs", "Photo.csv")
PHOTOS = [
    ("photos, first threshold", ["--oracle", PHOTO_VOTES, "--equal", "0.125"], USUAL),
    ("photos, second threshold", ["--oracle", PHOTO_VOTES, "--equal", "0.375", "--matters", "0.13"], USUAL),
]
SIMULATED = [
    *(
        (world, ["--world", world], STRONG if world == "pair effects 3" else USUAL)
        for world in [
            "base",
            "low noise",
            "high noise",
            "heavy-tailed abilities and activity",
            "no equal",
            "much equal",
            "pair effects 1.5",
            "pair effects 3",
            "forced choice",
        ]
    ),
    ("lists of 8", ["--world", "base", "--items", "8"], USUAL),
    ("lists of 14", ["--world", "base", "--items", "14"], USUAL),
]


def calibration(lab: str, arguments: list[str], lists: int, seed: int) -> list[dict]:
    command = [lab, "calibration", "--format", "json"]
    command += ["--lists", str(lists), "--seed", str(seed), *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout)["strategies"]


def in_bins(found: dict) -> str:
    """Said and happened, of tenths with a twentieth of the pairs."""
    bins = [b for b in found["bins"] if 20 * b["pairs"] >= found["pairs"]]
    return " ".join(f"{b['said']:.2f}:{b['happened']['mean']:.2f}" for b in bins)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lab", help="the program partita-lab")
    parser.add_argument("--lists", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-results", action="store_true", help="print only, write no folder")
    options = parser.parse_args()
    load_before = os.getloadavg()[0]
    settings = (PHOTOS if os.environ.get("PARTITA_DATA") else []) + SIMULATED
    rows, missed = [], 0
    for name, arguments, (most_order, most_relations) in settings:
        print(name, file=sys.stderr)
        for found in calibration(options.lab, arguments, options.lists, options.seed):
            order, relations = found["order"], found["relations"]
            met = order["expected_error"] <= most_order and relations["expected_error"] <= most_relations
            missed += not met
            rows.append(
                [
                    name,
                    found["strategy"],
                    f"{found['pair_spread']:.2f}",
                    f"{order['expected_error']:.3f}",
                    f"{order['log_loss']:.3f}",
                    f"{relations['expected_error']:.3f}",
                    f"{relations['log_loss']:.3f}",
                    f"{most_order:.2f}, {most_relations:.2f}: {'met' if met else 'missed'}",
                    in_bins(relations),
                ]
            )
    head = ["setting", "asked by", "pair spread", "order: error", "log loss", "relations: error", "log loss"]
    shown = table([*head, "target", "relations, said:happened"], rows)
    said = (
        f"{options.lists} lists per setting, seed {options.seed}, ten judged together. Error: the expected "
        f"calibration error in tenths of what was said. {len(rows) - missed} of {len(rows)} rows meet their target."
    )
    print(f"{shown}\n\n{said}")
    if options.no_results:
        return
    file = folder_of_today() / "calibration.md"
    about = table(["", ""], facts(load_before))
    file.write_text(f"# Calibration of probabilities\n\n{about}\n\n{said}\n\n{shown}\n")
    print(f"written to {file.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
