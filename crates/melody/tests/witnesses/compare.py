"""Reads the same files with partita and with other programs, and compares the notes.

    python compare.py READ_NOTES [--seed 12] [--melodies 150]

READ_NOTES is the program `crates/melody/examples/read_notes.rs`. Plaine & Easie is read by Verovio, in a process of
its own, kern and MusicXML by music21, MIDI by mido. Where the specification and Verovio disagree (tuplets other
than triplets, grace notes, repeats) nothing is generated. Ends with 1 where a note differs.
"""

import argparse
import base64
import io
import json
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import mido

# Ours and theirs may differ by less than a tick of Verovio's MIDI files.
PAE_GRID = 24
DURATIONS = [Fraction(4), Fraction(3), Fraction(2), Fraction(3, 2), Fraction(1), Fraction(3, 4), Fraction(1, 2)]
DURATIONS += [Fraction(1, 4), Fraction(1, 8), Fraction(1, 3)]

HAND_MADE = {
    "pae": [
        "@clef:G-2\n@keysig:bBE\n@timesig:3/4\n@data:'4B''CD/2.E//\n",
        "@clef:F-4\n@keysig:xFC\n@timesig:c\n@data:=1/,8FGABnC/''4FF2G/\n",
        "@clef:C-3\n@keysig:\n@timesig:6/8\n@data:'8{ABC}4.D/8.68{ABC}4(8DEF;3)-/\n",
        "@clef:G-2\n@keysig:xF\n@timesig:2/2\n@data:'2A+/4AxGnGF/(8EFG)(2A)//\n",
    ],
    "krn": [
        "**kern\n*clefG2\n*k[f#c#]\n*M4/4\n=1\n4d\n4f#\n8a\n8r\n[4dd\n=2\n4dd]\n2.b-\n==\n*-\n",
        "**kern\n*M3/4\n4.c\n8d\n4e\n=1\n12f\n12g\n12a\n2GG\n*-\n",
        "!!!OTL: hand made\n**kern\n*clefF4\n1C\n0r\n16C#\n16D-\n8..E\n32FFn\n*-\n",
    ],
}


def pae(rng: random.Random) -> str:
    """A random incipit of version 1."""
    pieces = []
    for _ in range(rng.randrange(4, 14)):
        octave = rng.choice([",,", ",", "'", "''", "'''"]) if rng.random() < 0.4 else ""
        note = lambda: rng.choice(["", "", "", "x", "b", "n", "xx", "bb"]) + rng.choice("ABCDEFG")
        value = rng.choice(["1", "2", "2.", "4", "4.", "4", "8", "8.", "8", "6", "3"])
        kind = rng.random()
        if kind < 0.6:
            group = [octave + value + note()]
        elif kind < 0.7:
            # The value of the group is twice that of its notes.
            inner = rng.choice(["8", "4"])
            group = [octave + {"8": "4", "4": "2"}[inner] + "(" + inner, note(), note(), note(), ";3)"]
        elif kind < 0.8:
            group = [octave + "{8" + note() + note() + "}"]
        elif kind < 0.9:
            group = [value + "-"]
        else:
            step = rng.choice("ABCDEFG")
            group = [octave + value + step + "+" + rng.choice(["", "/"]) + step]
        pieces += group
        if rng.random() < 0.2:
            pieces.append("/")
    if all("-" in piece or piece == "/" for piece in pieces):
        pieces.append("4C")
    fields = {
        "clef": rng.choice(["G-2", "g-2", "C-1", "C-3", "C-4", "F-4"]),
        "keysig": rng.choice(["", "xF", "xFCG", "bB", "bBEA"]),
        "timesig": rng.choice(["c", "c/", "3/4", "6/8", "3/8"]),
        "data": "'" + "".join(pieces) + "//",
    }
    return "".join(f"@{name}:{value}\n" for name, value in fields.items())


def kern(rng: random.Random) -> str:
    """A random tune in kern."""
    values = ["1", "2", "2.", "4", "4.", "8", "8.", "16", "12", "6", "4..", "0"]
    lines = ["**kern", "*clefG2", rng.choice(["*k[]", "*k[f#]", "*k[b-e-]"]), rng.choice(["*M4/4", "*M6/8"])]
    pitch = lambda: rng.choice(["C", "D", "GG", "A", "c", "d", "e", "f", "g", "a", "b", "cc", "ee", "ggg"]) + rng.choice(
        ["", "", "", "#", "-", "n", "##", "--"]
    )
    lines.append(rng.choice(values) + pitch())
    for number in range(rng.randrange(4, 30)):
        kind = rng.random()
        if kind < 0.1:
            lines.append(f"={number}")
        elif kind < 0.2:
            lines.append(rng.choice(values) + "r")
        elif kind < 0.3:
            tied = pitch()
            lines += [f"[{rng.choice(values)}{tied}", f"={number}", f"{rng.choice(values)}{tied}]"]
        else:
            lines.append(rng.choice(values) + pitch() + rng.choice(["", "", "L", "J", ";", "T"]))
    return "\n".join([*lines, "==", "*-"]) + "\n"


def musicxml(rng: random.Random) -> bytes:
    """A random tune as music21 writes it: notes that cross a bar line become tied ones."""
    from music21 import key, meter, note, stream
    from music21.musicxml.m21ToXml import GeneralObjectExporter

    part = stream.Part()
    part.append(key.KeySignature(rng.randrange(-4, 5)))
    part.append(meter.TimeSignature(rng.choice(["4/4", "3/4", "6/8"])))
    for number in range(rng.randrange(4, 30)):
        lasts = rng.choice(DURATIONS[:-2])
        if number and rng.random() < 0.12:
            part.append(note.Rest(quarterLength=lasts))
        else:
            part.append(note.Note(rng.randrange(40, 100), quarterLength=lasts))
    return GeneralObjectExporter(part).parse()


def midi(rng: random.Random) -> bytes:
    """A random tune as mido writes it, with running status and both ways to end a note."""
    division = rng.choice([24, 96, 120, 480, 960])
    track = mido.MidiTrack()
    track.append(mido.MetaMessage("set_tempo", tempo=rng.randrange(300_000, 900_000)))
    track.append(mido.Message("program_change", program=rng.randrange(128)))
    wait = 0
    for _ in range(rng.randrange(2, 40)):
        if rng.random() < 0.2:
            wait += rng.randrange(1, division * 2)
        pitch, lasts = rng.randrange(20, 110), rng.randrange(1, division * 4)
        track.append(mido.Message("note_on", note=pitch, velocity=rng.randrange(1, 128), time=wait))
        if rng.random() < 0.1:
            track.append(mido.Message("control_change", control=7, value=100, time=lasts // 2))
            lasts -= lasts // 2
        ends = rng.choice(["note_on", "note_off"])
        track.append(mido.Message(ends, note=pitch, velocity=0 if ends == "note_on" else 64, time=lasts))
        wait = 0
    file = mido.MidiFile(type=rng.choice([0, 1]), ticks_per_beat=division)
    file.tracks.append(track)
    kept = io.BytesIO()
    file.save(file=kept)
    return kept.getvalue()


def of_midi(content: bytes) -> list[tuple[int, Fraction, Fraction]]:
    """The notes of a MIDI file of one voice."""
    file = mido.MidiFile(file=io.BytesIO(content))
    notes, sounding, now = [], {}, 0
    for message in mido.merge_tracks(file.tracks):
        now += message.time
        if message.type == "note_on" and message.velocity > 0:
            sounding[message.note] = now
        elif message.type in ("note_on", "note_off") and message.note in sounding:
            start = sounding.pop(message.note)
            ticks = file.ticks_per_beat
            notes.append((message.note, Fraction(start, ticks), Fraction(now - start, ticks)))
    return sorted(notes, key=lambda note: note[1])


def of_music21(content: bytes, form: str) -> list[tuple[int, Fraction, Fraction]]:
    """The notes as music21 reads them."""
    from music21 import converter

    score = converter.parse(content.decode(), format=form).stripTies()
    exact = lambda number: Fraction(number).limit_denominator(1000)
    notes = score.flatten().notes
    return [(n.pitch.midi, exact(n.offset), exact(n.quarterLength)) for n in notes if not n.duration.isGrace]


def verovio(paths: list[str]) -> None:
    """Prints the notes of incipits as Verovio plays them: called in a process of its own, which it may end."""
    from verovio import toolkit

    for path in paths:
        tool = toolkit()
        tool.setInputFrom("pae")
        tool.loadData(Path(path).read_text())
        notes = of_midi(base64.b64decode(tool.renderToMIDI()))
        print(json.dumps([[pitch, str(onset), str(lasts)] for pitch, onset, lasts in notes]), flush=True)


def of_verovio(paths: list[Path]) -> list[list[tuple[int, Fraction, Fraction]]]:
    command = [sys.executable, __file__, "verovio", *map(str, paths)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return [[(pitch, Fraction(onset), Fraction(lasts)) for pitch, onset, lasts in row] for row in rows]


def of_partita(program: str, paths: list[Path]) -> list[list[tuple[int, Fraction, Fraction]]]:
    done = subprocess.run([program, *map(str, paths)], check=True, stdout=subprocess.PIPE, text=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    for row in rows:
        if "notes" not in row:
            sys.exit(f"{row['file']} is not read: {row}\n{Path(row['file']).read_bytes()!r}")
    return [[(pitch, Fraction(onset), Fraction(lasts)) for pitch, onset, lasts in row["notes"]] for row in rows]


def rounded(notes, grid: int | None):
    if grid is None:
        return notes
    near = lambda number: Fraction(round(number * grid), grid)
    return [(pitch, near(onset), near(lasts)) for pitch, onset, lasts in notes]


def main() -> None:
    if sys.argv[1:2] == ["verovio"]:
        return verovio(sys.argv[2:])
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=12)
    parser.add_argument("--melodies", type=int, default=150)
    arguments = parser.parse_args()
    # name, how melodies are made, the other reader of all files, and the grid on which notes are compared
    each = lambda read: lambda paths: [read(path.read_bytes()) for path in paths]
    formats = {
        "pae": (pae, of_verovio, PAE_GRID),
        "krn": (kern, each(lambda content: of_music21(content, "humdrum")), None),
        "musicxml": (musicxml, each(lambda content: of_music21(content, "musicxml")), None),
        "mid": (midi, each(of_midi), None),
    }
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        for ending, (make, read, grid) in formats.items():
            rng = random.Random(arguments.seed)
            made = HAND_MADE.get(ending, []) + [make(rng) for _ in range(arguments.melodies)]
            paths = []
            for number, content in enumerate(made):
                path = Path(folder) / f"{number:04}.{ending}"
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
                paths.append(path)
            ours, theirs = of_partita(arguments.program, paths), read(paths)
            assert len(ours) == len(theirs) == len(paths), ending
            compared = zip(paths, ours, theirs)
            wrong = [row for row in compared if rounded(row[1], grid) != rounded(row[2], grid)]
            print(f"{ending}: {len(paths)} melodies, {sum(map(len, ours))} notes, {len(wrong)} melodies differ")
            for path, one, other in wrong[:3]:
                shown = lambda notes: " ".join(f"{p}:{o}:{d}" for p, o, d in notes)
                print(path.read_bytes().decode(errors="replace"), "ours  ", shown(one), "\ntheirs", shown(other))
            differing += len(wrong)
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
