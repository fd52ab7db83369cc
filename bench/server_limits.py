"""Measures what bounds the judging server: opening a campaign, judges beside organisers, memory of slow readers.

Called by `bench/run server-limits`. The first two figures are ratios within one run: the machine and what else
runs on it are in both of their parts. The load comes from the example `bench_server` of crates/server.
"""

import argparse
import atexit
import http.client
import json
import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid
from pathlib import Path

from evaluate import ROOT, table
from kept import facts, folder_of_today
from server import Server, document, end_all, percentile, verdict

PARTS = ["opening", "organisers", "readers"]


def fill(options: argparse.Namespace, server: Server, name: str, people: int, answers: int) -> str:
    """Makes a campaign and lets groups of 200 people answer; the token of one person."""
    server.ask("/api/v1/campaigns", document(name, max(20, answers // 60), 20), server.token)
    given, first = 0, ""
    for group in range(people // 200):
        tokens = server.judges(name, 200)
        first = first or tokens.read_text().split()[0]
        while given < answers * (group + 1) * 200 // people:
            seen = server.load(options.client, tokens, 1, 0)
            assert seen["judgments"] > 0, "the campaign has no questions left"
            given += seen["judgments"]
    print(f"{name}: {people:,} people, {given:,} answers", file=sys.stderr)
    return first


def opening(options: argparse.Namespace, folder: Path) -> str:
    """Opening a campaign in PostgreSQL, ten times as large."""
    if not options.server:
        return "## Opening\n\nNot measured: there is no PostgreSQL."
    tools, (address, _) = os.environ["PARTITA_TEST_PG_TOOLS"], options.server.rsplit("/", 1)
    rows, least = [], {}
    for people, answers in [(200, options.answers // 10), (2000, options.answers)]:
        name = f"opening{people}"
        subprocess.run([Path(tools, "createdb"), name], check=True)
        database, times = f"{address}/{name}", []
        server = Server(options.partita, folder / name, database)
        token = fill(options, server, name, people, answers)
        for _ in range(options.rounds):
            server.stop()
            server = Server(options.partita, folder / name, database)
            waits = []
            for _ in range(2):
                asked = time.perf_counter()
                server.ask("/api/v1/judge/next", {}, token)
                waits.append(time.perf_counter() - asked)
            # The second request does all that the first does except opening the campaign.
            times.append(max(1e-4, waits[0] - waits[1]))
        server.stop()
        least[people] = min(times)
        rows.append([f"{people:,}", f"{answers:,}", *(f"{1e3 * seconds:.0f}" for seconds in times)])
    ratio = least[2000] / least[200]
    header = ["people", "answers", *(f"ms, start {number + 1}" for number in range(options.rounds))]
    return f"""## Opening a campaign (PostgreSQL)

Time of the first request of a judge after a start of the server, minus that of the second.

{table(header, rows)}

- ten times as many people and answers: {verdict(ratio, "at most 12", ratio <= 12)} times as long, by the fastest starts"""


def organise(address: str, token: str, paths: list[str], stop: multiprocessing.Event) -> None:
    """Asks for views of a campaign, one after the other, until it is told to stop."""
    connection = http.client.HTTPConnection(address, timeout=120)
    headers = {"Authorization": f"Bearer {token}"}
    while not stop.is_set():
        for path in paths:
            connection.request("GET", path, headers=headers)
            connection.getresponse().read()


def judge(address: str, token: str, seconds: float) -> list[float]:
    """Waits in ms of a judge who answers ten questions a second."""
    connection = http.client.HTTPConnection(address, timeout=120)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    waits, until = [], time.perf_counter() + seconds

    def ask(method: str, path: str, body: dict) -> dict:
        asked = time.perf_counter()
        connection.request(method, path, json.dumps(body), headers)
        answer = json.loads(connection.getresponse().read())
        waits.append((time.perf_counter() - asked) * 1e3)
        return answer

    while time.perf_counter() < until:
        tasks = ask("POST", "/api/v1/judge/next", {}).get("tasks", [])
        if tasks:
            body = {"task": tasks[0]["task"], "answer": "a", "seconds": 1}
            ask("PUT", f"/api/v1/judge/answers/{uuid.uuid4()}", body)
        time.sleep(0.1)
    return waits


def organisers(options: argparse.Namespace, folder: Path) -> str:
    """A judge alone and beside three organisers."""
    server = Server(options.partita, folder / "organisers")
    fill(options, server, "organisers", 200, options.answers // 2)
    token = server.judges("organisers", 1).read_text().split()[0]
    api, rows, ratios = "/api/v1/campaigns/organisers", [], []
    for round_ in range(options.rounds):
        alone = judge(server.address, token, 15)
        stop = multiprocessing.Event()
        views = [["lists", "status"], ["people", "pairs"], ["status", "export/answers.csv"]]
        others = [
            multiprocessing.Process(
                target=organise,
                args=(server.address, server.token, [f"{api}/{view}" for view in paths], stop),
                daemon=True,
            )
            for paths in views
        ]
        for other in others:
            other.start()
        time.sleep(1)
        beside = judge(server.address, token, 15)
        stop.set()
        for other in others:
            other.join(timeout=150)
        ratios.append(percentile(beside, 0.95) / percentile(alone, 0.95))
        for name, waits in [("alone", alone), ("beside three organisers", beside)]:
            rows.append([
                f"{name}, round {round_ + 1}", str(len(waits)), f"{percentile(waits, 0.5):.1f}",
                f"{percentile(waits, 0.95):.1f}", f"{max(waits):.1f}",
            ])  # fmt: skip
    server.stop()
    ratio = sorted(ratios)[len(ratios) // 2]
    return f"""## A judge beside organisers (SQLite)

A campaign of {options.answers // 2:,} answers. The judge answers ten questions a second, so each view of an organiser
is computed anew. Three organisers ask for lists, status, people, pairs and answers without pause.

{table(["the judge", "requests", "ms, median", "95%", "longest"], rows)}

- wait of the judge (95%) to that alone: {verdict(ratio, "at most 8", ratio <= 8)}"""


def memory(pid: int, field: str) -> float:
    """Memory of a process in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1e3 for line in lines if line.startswith(field))


def read_slowly(address: str, path: str, own: str, until: float, counts: list[int]) -> None:
    """Reads 100 kB a second of a file from an address of this machine."""
    host, port = address.split(":")
    reader = socket.create_connection((host, int(port)), timeout=30, source_address=(own, 0))
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    reader.sendall(f"GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
    count = 0
    while time.monotonic() < until:
        count += len(reader.recv(10_000))
        time.sleep(0.1)
    counts.append(count)
    reader.close()


def readers(options: argparse.Namespace, folder: Path) -> str:
    """100 slow readers of a file of 20 MB."""
    server = Server(options.partita, folder / "readers")
    file = b"\x89PNG\r\n\x1a\n" + os.urandom(20_000_000)
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "image/png"}
    request = urllib.request.Request(server.url + "/api/v1/media", data=file, headers=headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        path = "/media/" + json.load(answer)["media"]
    server.stop()
    server = Server(options.partita, folder / "readers")
    before, counts = memory(server.process.pid, "VmRSS"), []
    until = time.monotonic() + 20
    threads = [
        threading.Thread(target=read_slowly, args=(server.address, path, f"127.0.0.{2 + number % 50}", until, counts))
        for number in range(100)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    peak = memory(server.process.pid, "VmHWM")
    server.stop()
    served = sum(count > 100_000 for count in counts)
    assert served == 100, f"only {served} of 100 readers were served"
    return f"""## Slow readers

100 readers take 100 kB a second each of one file of 20 MB, for 20 seconds, from 50 addresses.

- memory before: {before:.0f} MB; peak: {verdict(peak, "below 200 MB", peak < 200)}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--partita", required=True, help="the program")
    parser.add_argument("--client", required=True, help="the example bench_server")
    parser.add_argument("--answers", type=int, default=100_000, help="answers of the largest campaign")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--no-results", action="store_true", help="print only, write no folder")
    options = parser.parse_args()
    atexit.register(end_all)
    options.server = os.environ.get("PARTITA_TEST_POSTGRES")
    load_before = os.getloadavg()[0]
    parts = []
    with tempfile.TemporaryDirectory(dir=ROOT / "target") as name:
        for part in options.only or PARTS:
            parts.append(globals()[part](options, Path(name)))
    summary = f"""# Limits of the judging server

Written by `bench/run server-limits`. Judges, organisers and the server share the cores of the machine.

{(chr(10) * 2).join(parts)}

## Where

{table(["", ""], facts(load_before))}
"""
    print(summary)
    if not options.no_results:
        kept = folder_of_today()
        (kept / "server-limits.md").write_text(summary)
        print(f"kept in {kept.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
