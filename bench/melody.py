"""Measures the music side: import beside Verovio, what is done with collections, search, index, bounds, quality, and
memory on bad input.

    python3 bench/melody.py --partita FILE --example FILE --verovio PYTHON
                            [--only import,collection,search,bounds,quality,bad]

Needs the folder `tune-families` in the folder that PARTITA_DATA names: generated melodies have its intervals, and
its families say how well systems find relatives.
"""

import argparse
import collections
import csv
import io
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from evaluate import BENCH, ROOT, table
from kept import facts, folder_of_today

MELODYSHAPE = 6300  # comparisons a second of 2012-shapeh, measured on another day (see README.md)
RESAMPLES = 2000


def cost(command: list[str], allowed: tuple[int, ...] = (0,)) -> tuple[float, float, str]:
    """The CPU seconds and the peak in MB of a command, and what it printed."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in allowed:
            sys.exit(f"{' '.join(command)} ended with {process.returncode}")
        out.seek(0)
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read().decode()


def met(holds: bool) -> str:
    return "met" if holds else "missed"


def generated(options, families: Path, folder: Path) -> Path:
    """A file of generated incipits in Plaine & Easie."""
    incipits = folder / "incipits.txt"
    with incipits.open("w") as file:
        subprocess.run([options.example, "incipits", families, str(options.incipits)], check=True, stdout=file)
    return incipits


def importing(options, families: Path, folder: Path) -> list[str]:
    """Import beside Verovio, and the first item of what was imported."""
    count = options.incipits
    incipits, collection = generated(options, families, folder), folder / "incipits.coll"
    some = min(2000, count)
    peer = float(cost([options.verovio, str(BENCH / "peers/with_verovio.py"), str(incipits), str(some)])[2])
    command = [options.partita, "collection", "import", str(incipits), "--into", str(collection), "--threads", "1"]
    spent, peak, _ = cost([*command, "--format", "json"])
    ratio = peer / some / (spent / count)
    listing, _, _ = cost([options.partita, "collection", "list", str(collection), "--limit", "1"])
    rows = [
        ["Verovio, CPU ms an incipit (the calls alone)", f"{peer / some * 1e3:.3f}", "", ""],
        ["partita, CPU ms an incipit (the whole process)", f"{spent / count * 1e3:.4f}", "", ""],
        ["how many times Verovio's rate", f"{ratio:.0f}", "200", met(ratio >= 200)],
        ["peak MB of the import", f"{peak:.0f}", "1,000", met(peak < 1000)],
        ["`list --limit 1`, CPU s", f"{listing:.3f}", "0.1", met(listing <= 0.1)],
    ]
    text = f"{count:,} generated incipits in Plaine & Easie, {incipits.stat().st_size / 1e6:.0f} MB; Verovio reads {some:,} of them."
    return ["## Import", "", text, "", table(["what", "measured", "target", ""], rows), ""]


def collecting(options, families: Path, folder: Path) -> list[str]:
    """Features, candidates and clips of a collection of incipits."""
    incipits, collection = generated(options, families, folder), folder / "incipits.coll"
    program, one = options.partita, ["--threads", "1"]
    cost([program, "collection", "import", str(incipits), "--into", str(collection), *one])
    out = folder / "out"
    rows = []
    for form in ["csv", "json"]:
        command = [program, "collection", "features", str(collection), "--format", form, "--output", str(out)]
        spent, peak, _ = cost(command)
        each = f"{spent / options.incipits * 1e3:.4f} ms a melody"
        rows.append([f"`features --format {form}` of all, {out.stat().st_size / 1e6:.0f} MB", each, f"{spent:.1f}", f"{peak:.0f}"])
    ids = [line.split("\t")[0] for line in incipits.read_text().splitlines()]
    queries = ids[:: len(ids) // 10][:10]
    for some in [queries[:1], queries]:
        command = [program, "collection", "candidates", str(collection), "--query", *some, "--output", str(out)]
        spent, peak, _ = cost([*command, *one])
        rows.append([f"`candidates`, queries: {len(some)}", f"{spent / len(some):.2f} s a query", f"{spent:.1f}", f"{peak:.0f}"])
    clips = ids[:: len(ids) // 200][:200]
    for audio in ["flac", "wav"]:
        command = [program, "collection", "render", str(collection), *clips, "--audio", audio, "--output", str(folder / audio)]
        spent, peak, said = cost([*command, "--format", "json", *one])
        seconds = sum(clip["seconds"] for clip in json.loads(said)["clips"])
        each = f"{spent / len(clips) * 1e3:.1f} ms a clip, {seconds / spent:.0f} times as fast as they sound"
        rows.append([f"`render --audio {audio}` of {len(clips)}, {seconds / len(clips):.1f} s each", each, f"{spent:.1f}", f"{peak:.0f}"])
    head = ["what", "measured", "CPU s", "peak MB"]
    text = f"{options.incipits:,} generated incipits of 8 to 24 notes; the whole process, one core."
    return ["## Collections", "", text, "", table(head, rows), ""]


def searching(options, families: Path) -> list[str]:
    """ShapeH exhaustively and with its index."""
    rows = []
    for count in options.sizes:
        command = [options.example, "search", families, str(count), str(options.queries), "ShapeH"]
        done = json.loads(cost([str(part) for part in command])[2])
        rate, ratio = count / done["exhaustive"], done["exhaustive"] / done["indexed"]
        rows.append(
            [
                f"{count:,}",
                f"{rate / 1e6:.2f}",
                f"{rate / MELODYSHAPE:.0f}",
                f"{done['indexed'] * 1e3:.2f}",
                f"{ratio:.0f}",
                f"{done['share']:.3f}",
                f"{done['worst']:.2f}",
                f"{done['index']:.1f}",
            ]
        )
    head = ["melodies", "million comparisons a s", "times MelodyShape's 6,300", "index: CPU ms a query", "times cheaper"]
    head += ["share of the first 50", "worst query", "CPU s to make the index"]
    text = (
        f"ShapeH on one core, {options.queries} queries of 8 to 24 notes, each size in one run. The share: how many of the first "
        "50 by the index score no less than the exhaustive fiftieth. Targets: 300 times MelodyShape's rate; at 1,500,000 "
        "melodies 100 times cheaper with a share of at least 0.95."
    )
    return ["## Search and index", "", text, "", table(head, rows), "", *recall(options, families)]


def recall(options, families: Path) -> list[str]:
    """How much of an exhaustive search the index finds in real melodies."""
    rows = []
    for system in ["ShapeH", "ShapeTime"]:
        command = [options.example, "windows", families, "16", "4", "100", system]
        done = json.loads(cost([str(part) for part in command])[2])
        shares = [f"{done['share']:.3f}", f"{done['worst']:.2f}", f"{done['same_first_ten']:.2f}"]
        rows.append([system, f"{done['melodies']:,}", str(done["queries"]), *shares])
    head = ["system", "melodies", "queries", "share of the first 50", "worst query", "queries with the same first ten"]
    text = "The index in real melodies: all windows of 16 notes of the songs, one at every fourth note."
    return [text, "", table(head, rows), ""]


def bounding(options, families: Path) -> list[str]:
    """What the bounds of TWV spare."""
    rows = []
    for system, count, queries in [
        ("TWV", 0, options.bounded),
        ("TWV(distance=emd)", 0, options.bounded),
        ("TWV", 20_000, options.bounded),
        ("TWV(distance=emd)", 20_000, options.bounded),
    ]:
        command = [options.example, "bounds", families, str(count), str(queries), system]
        done = json.loads(cost([str(part) for part in command])[2])
        if done["differ"]:
            sys.exit(f"bounds change {done['differ']} results of {system}")
        what = "generated incipits" if count else "whole songs"
        cells = [system, f"{done['melodies']:,} {what}", str(done["queries"]), f"{done['skipped']:.3f}"]
        rows.append([*cells, f"{done['bounded']:.3f}", f"{done['all']:.3f}", met(done["skipped"] >= 0.9)])
    head = ["system", "in", "queries", "problems skipped", "CPU s a query", "all solved", "target 0.9"]
    text = "The first 50 of every query are those that the scores of all give, or the run stops."
    return ["## Bounds of transportation distances", "", text, "", table(head, rows), ""]


def interval(values: dict[str, list[float]]) -> tuple[float, float, float]:
    """The mean over queries, and the 95% interval of resampled families."""
    groups = list(values.values())
    mean = lambda groups: sum(map(sum, groups)) / sum(map(len, groups))
    rng = random.Random(1)
    drawn = sorted(mean(rng.choices(groups, k=len(groups))) for _ in range(RESAMPLES))
    return mean(groups), drawn[int(0.025 * RESAMPLES)], drawn[int(0.975 * RESAMPLES)]


def quality(options, families: Path, folder: Path) -> list[str]:
    """MAP and ADR of every system on families of tunes."""
    with (families / "families.csv").open() as file:
        family = {row[0]: row[1] for row in list(csv.reader(file))[1:]}
    members = collections.defaultdict(list)
    for item, name in family.items():
        members[name].append(item)
    asked = [item for item in sorted(family) if len(members[family[item]]) > 1][:: options.every]
    truth = folder / "truth.csv"
    with truth.open("w") as file:
        file.write("query,item,group\n")
        for query in asked:
            file.writelines(f"{query},{item},1\n" for item in members[family[query]] if item != query)
    groups = folder / "groups.csv"
    groups.write_text("query,group\n" + "".join(f"{item},{name}\n" for item, name in family.items()))
    collection = folder / "families.coll"
    cost([options.partita, "collection", "import", str(families / "krn"), "--into", str(collection)])
    queries = folder / "queries.txt"
    queries.write_text("\n".join(asked) + "\n")
    names = options.systems or [
        row["name"] for row in json.loads(cost([options.partita, "systems", "--format", "json"])[2])["systems"]
    ]
    rows = []
    for name in names:
        run = folder / "run.txt"
        command = [options.partita, "search", "--queries", str(queries), "--in", str(collection), "--system", name]
        spent, _, _ = cost([*command, "--top", "0", "--without-query", "--run", str(run)])
        command = [options.partita, "evaluate", "--truth", str(truth), str(run), "--order", "rank", "-m", "AP,ADR"]
        [scores] = json.loads(cost([*command, "--per-query", "--format", "json"])[2])["runs"]
        cells = []
        for measure in ["AP", "ADR"]:
            by_family = collections.defaultdict(list)
            for query, values in scores["per_query"].items():
                by_family[family[query]].append(values[measure])
            mean, low, high = interval(by_family)
            cells.append(f"{mean:.3f} ({low:.3f} to {high:.3f})")
        rows.append([name, *cells, str(len(asked)), f"{spent / len(asked):.2f}"])
        print(rows[-1], file=sys.stderr)
    head = ["system", "MAP", "ADR", "queries", "CPU s a query"]
    text = (
        f"{len(members)} families of Dutch folk songs among others, {len(family)} labelled melodies: {len(asked)} of them are "
        "queries, the rest of its family is relevant. 95% intervals by resampling families."
    )
    lines = ["## Quality", "", text, "", table(head, rows), ""]
    if options.tune:
        command = [options.partita, "tune", "--in", str(collection), "--truth", str(truth), "--system", "Align"]
        _, _, said = cost([*command, "--groups", str(groups), "--format", "json"])
        held = json.loads(said)["held_out"]
        lines += [
            f"`partita tune --system Align`, whole families held out in 5 folds: {held['measure']} "
            f"{held['mean']:.3f} ({held['low']:.3f} to {held['high']:.3f}) on families that were held out.",
            "",
        ]
    return lines


def bad(options, folder: Path) -> list[str]:
    """The peak of imports that should not need much memory."""
    sources = {}
    bomb = folder / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as file, file.open("a.mid", "w", force_zip64=True) as member:
        for _ in range(1024):
            member.write(bytes(1 << 20))
    sources["a zip of one member of 1 GB of zeros"] = bomb
    scores = folder / "scores.zip"
    with zipfile.ZipFile(folder / "one.mxl", "w", zipfile.ZIP_DEFLATED) as file, file.open("a.xml", "w", force_zip64=True) as member:
        for _ in range(300):
            member.write(b" " * (1 << 20))
    with zipfile.ZipFile(scores, "w") as file:
        for number in range(30):
            file.write(folder / "one.mxl", f"{number}.mxl")
    sources["a zip of 30 packed scores of 300 MB"] = scores
    clips = folder / "clips.zip"
    with zipfile.ZipFile(clips, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for number in range(8):
            size = 200 << 20
            form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, 44100, 88200, 2, 16)
            head = b"RIFF" + struct.pack("<I", 36 + size) + b"WAVE" + form + b"data" + struct.pack("<I", size)
            file.writestr(f"{number}.wav", head + struct.pack("<h", number + 1) + bytes(size - 2))
    sources["a zip of 8 clips of 200 MB"] = clips
    events = b"\x00\x90\x3c\x40\x01\x80\x3c\x00" * 1_000_000 + b"\x00\xff\x2f\x00"
    notes = folder / "million.mid"
    notes.write_bytes(b"MThd" + struct.pack(">IHHH", 6, 0, 1, 96) + b"MTrk" + struct.pack(">I", len(events)) + events)
    sources["a MIDI file of a million notes"] = notes
    repeats = folder / "repeats.pae"
    repeats.write_text("@clef:G-2\n@data:'4" + "!C!" + "f" * 5_000_000 + "\n")
    sources["five million repeats of a figure"] = repeats
    nested = folder / "nested.musicxml"
    nested.write_text("<score-partwise>" + "<part>" * 1_500_000 + "</part>" * 1_500_000 + "</score-partwise>")
    sources["MusicXML, 1.5 million elements in each other"] = nested
    wide = folder / "wide.musicxml"
    note = "<note><pitch><step>C</step><octave>4</octave></pitch><duration>1</duration></note>"
    wide.write_text("<score-partwise><part><measure>" + note * 400_000 + "</measure></part></score-partwise>")
    sources["MusicXML, 400,000 notes"] = wide
    lines = folder / "long.krn"
    lines.write_text("**kern\n" + "4c\n" * 3_000_000 + "*-\n")
    sources["kern, three million notes"] = lines
    rows = []
    for what, source in sources.items():
        command = [options.partita, "collection", "import", str(source), "--into", str(folder / "bad.coll")]
        spent, peak, said = cost([*command, "--threads", "8", "--format", "json"], (0, 2))
        (folder / "bad.coll").unlink(missing_ok=True)
        skipped = json.loads(said)["skipped"] if said.strip() else []
        reasons = ", ".join(sorted({each["reason"] for each in skipped})) or "none"
        size = source.stat().st_size / 1e6
        rows.append([what, f"{size:.1f}", reasons, f"{spent:.1f}", f"{peak:.0f}", met(peak <= 600)])
    head = ["file", "MB", "reason", "CPU s", "peak MB", "target 600"]
    return ["## Bad input", "", "`partita collection import --threads 8` of one file.", "", table(head, rows), ""]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--partita", required=True)
    parser.add_argument("--example", required=True)
    parser.add_argument("--verovio", required=True, help="a Python that has Verovio")
    parser.add_argument("--only", default="import,collection,search,bounds,quality,bad")
    parser.add_argument("--incipits", type=int, default=1_000_000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[150_000, 1_500_000])
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--bounded", type=int, default=31, help="queries of `bounds`")
    parser.add_argument("--every", type=int, default=1, help="of `quality`, every so many labelled melodies are queries")
    parser.add_argument("--systems", nargs="+")
    parser.add_argument("--tune", action="store_true", help="tune Align as well (some minutes)")
    parser.add_argument("--no-results", action="store_true")
    options = parser.parse_args()
    data = os.environ.get("PARTITA_DATA")
    families = Path(data or ".") / "tune-families"
    if not data or not families.is_dir():
        sys.exit("PARTITA_DATA does not name the folder that holds tune-families (see CONTRIBUTING.md)")
    load = os.getloadavg()[0]
    folder = None if options.no_results else folder_of_today()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as work:
        parts = {
            "import": lambda: importing(options, families, Path(work)),
            "collection": lambda: collecting(options, families, Path(work)),
            "search": lambda: searching(options, families),
            "bounds": lambda: bounding(options, families),
            "quality": lambda: quality(options, families, Path(work)),
            "bad": lambda: bad(options, Path(work)),
        }
        for name in options.only.split(","):
            lines = [f"# Melodies: {name}", "", "Written by `bench/run melody`.", "", *parts[name]()]
            lines += ["## Where", "", table(["", ""], facts(load)), ""]
            text = "\n".join(lines)
            print(text)
            if folder:
                (folder / f"melody-{name}.md").write_text(text)
                print(f"written to {(folder / f'melody-{name}.md').relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
