"""Measures the judging server: judgments a second beside single commits, acknowledgements, Potato, and size.

Called by `bench/run server`. All figures are ratios within one run: the machine, its disk and what else runs on
it are in both of their parts. The load comes from the example `bench_server` of crates/server.
"""

import argparse
import atexit
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from evaluate import ROOT, table
from kept import facts, folder_of_today

TICKS = os.sysconf("SC_CLK_TCK")
STARTED: list[subprocess.Popen] = []


def end_all() -> None:
    """Ends whatever was started and still runs."""
    for process in STARTED:
        if process.poll() is None:
            process.kill()
            process.wait()


def cpu_of(pid: int) -> float:
    """The CPU seconds of a process and of those that it started and that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def postgres_cpu() -> float:
    """The CPU seconds of all processes of the PostgreSQL server that the address names."""
    tools = os.environ["PARTITA_TEST_PG_TOOLS"]
    first = int(Path(tools, "data", "postmaster.pid").read_text().split()[0])
    total = cpu_of(first)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == first:
            total += (int(fields[11]) + int(fields[12])) / TICKS
    return total


class Server:
    """`partita serve` in a folder, or on a PostgreSQL database."""

    def __init__(self, partita: str, folder: Path, database: str | None = None):
        self.folder = folder
        command = [partita, "serve", "--data", folder, "--listen", "127.0.0.1:0", "--no-limits"]
        command += ["--local", "127.0.0.1:0", "--format", "json"]
        command += ["--database", database] if database else []
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        STARTED.append(self.process)
        ready = json.loads(self.process.stdout.readline())
        self.url, self.local = ready["url"], ready["local"]
        self.address = self.url.removeprefix("http://")
        self.token = (folder / "organiser.token").read_text().strip()

    def ask(self, path: str, body: dict, token: str | None = None) -> dict:
        headers = {"Content-Type": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        data = json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, headers=headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def campaign(self, document: dict, judges: int) -> Path:
        """Makes a campaign and lets judges in; a file with their tokens."""
        self.ask("/api/v1/campaigns", document, self.token)
        return self.judges(document["name"], judges)

    def judges(self, name: str, judges: int) -> Path:
        invites = []
        while len(invites) < judges:
            body = {"kind": "preference", "count": min(200, judges - len(invites))}
            made = self.ask(f"/api/v1/campaigns/{name}/invites", body, self.token)
            invites += made["invites"]
        tokens = []
        for invite in invites:
            entry = {"campaign": name, "invite": invite["invite"]}
            tokens.append(self.ask("/api/v1/judge/enter", entry)["token"])
        file = self.folder / f"{name}-{judges}.tokens"
        file.write_text("\n".join(tokens) + "\n")
        return file

    def commits(self) -> int:
        with urllib.request.urlopen(self.local + "/metrics", timeout=10) as answer:
            for line in answer.read().decode().splitlines():
                if line.startswith("partita_commits_total "):
                    return int(line.split()[1])
        raise SystemExit("no partita_commits_total")

    def load(self, client: str, tokens: Path, seconds: float, pause: float) -> dict:
        """What judges saw, with the CPU seconds of the server and its commits."""
        cpu, commits = cpu_of(self.process.pid), self.commits()
        command = [client, "partita", self.address, tokens, str(seconds), str(pause)]
        done = subprocess.run(command, check=True, capture_output=True, timeout=seconds + 120)
        seen = json.loads(done.stdout)
        seen["server_cpu"] = cpu_of(self.process.pid) - cpu
        seen["commits"] = self.commits() - commits
        seen["rate"] = seen["judgments"] / seen["seconds"]
        return seen

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)


def document(name: str, lists: int, items: int, votes: int = 10) -> dict:
    """A campaign of texts."""

    def shown(item: int) -> dict:
        return {"item": f"i{item}", "show": {"text": f"Text {item}"}}

    return {
        "name": name,
        "title": "Which is closer?",
        "settings": {"votes": votes, "decide": "majority"},
        "lists": [
            {"query": f"q{query}", "show": {"text": f"Text {query}"},
             "items": [shown(item) for item in range(items)]}
            for query in range(lists)
        ],
    }  # fmt: skip


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def sqlite_commits(folder: Path, seconds: float) -> dict:
    """Single rows over one connection, each a transaction, with the settings of the server."""
    connection = sqlite3.connect(folder / "single.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE single (number INTEGER PRIMARY KEY, line TEXT NOT NULL)")
    line, times, begun = "x" * 400, [], time.perf_counter()
    while time.perf_counter() - begun < seconds:
        asked = time.perf_counter()
        connection.execute("INSERT INTO single VALUES (?, ?)", (len(times), line))
        times.append((time.perf_counter() - asked) * 1e3)
    took = time.perf_counter() - begun
    connection.close()
    return {
        "rate": len(times) / took,
        "acknowledged": {"median": percentile(times, 0.5), "p99": percentile(times, 0.99)},
    }


def postgres_commits(client: str, database: str, seconds: float) -> dict:
    done = subprocess.run([client, "commits", database, str(seconds)], check=True, capture_output=True)
    seen = json.loads(done.stdout)
    return {"rate": seen["commits"] / seen["seconds"], "acknowledged": seen["acknowledged"]}


def verdict(value: float, target: str, met: bool) -> str:
    return f"{value:.2f} ({target}: {'met' if met else 'MISSED'})"


def at_full_speed(options: argparse.Namespace, folder: Path) -> str:
    """50 judges without pauses beside single commits, in turns."""
    rows, lines = [], []
    places: list[tuple[str, str | None]] = [("SQLite", None)]
    places += [("PostgreSQL", options.database)] if options.database else []
    for place, database in places:
        server = Server(options.partita, folder / f"full-{place}", database)
        tokens = server.campaign(document("full", 600, 20), 50)
        server.load(options.client, tokens, 2, 0)
        ratios = []
        for round_ in range(options.rounds):
            if database:
                raw = postgres_commits(options.client, database, 4)
            else:
                raw = sqlite_commits(Path(tempfile.mkdtemp(dir=folder)), 4)
            before = postgres_cpu() if database else 0.0
            seen = server.load(options.client, tokens, 8, 0)
            database_cpu = postgres_cpu() - before if database else 0.0
            assert seen["idle"] == 0, "the campaign is too small for this machine"
            judgments = seen["judgments"]
            ratios.append(seen["rate"] / raw["rate"])
            each = [1e6 * cpu / judgments for cpu in (seen["server_cpu"], database_cpu, seen["client_cpu"])]
            rows.append([
                f"{place} {round_ + 1}", f"{raw['rate']:,.0f}", f"{seen['rate']:,.0f}", f"{ratios[-1]:.2f}",
                f"{seen['commits'] / seen['seconds']:,.0f}", f"{2 * judgments / seen['commits']:.1f}",
                f"{seen['acknowledged']['median']:.1f}", f"{seen['acknowledged']['p99']:.1f}",
                *(f"{cpu:.0f}" for cpu in each),
            ])  # fmt: skip
        server.stop()
        ratio = sorted(ratios)[len(ratios) // 2]
        least, aim = (0.5, 1) if database else (2, 5)
        lines.append(
            f"- {place}: {verdict(ratio, f'at least {least}, aim {aim}', ratio >= least)} "
            "judgments for each single commit, median of the rounds"
        )
    header = [
        "database, round", "single commits a second", "judgments a second", "ratio", "commits a second",
        "requests a commit", "acknowledged, ms", "99%", "server CPU us each", "database CPU us", "client CPU us",
    ]  # fmt: skip
    return f"""## 50 judges without pauses

A judgment is an answer and the next task, both durable. Single commits are rows of 400 bytes over one connection
(SQLite in WAL with `synchronous=FULL`, by the library itself; PostgreSQL by a prepared statement), in turns with
the judges. CPU times are those of a judgment.

{table(header, rows)}

""" + "\n".join(lines)


def with_pauses(options: argparse.Namespace, folder: Path) -> str:
    """500 judges who pause, beside 50 at the same rate."""
    server = Server(options.partita, folder / "pauses")
    many = server.campaign(document("pauses", 200, 20), 500)
    few = server.judges("pauses", 50)
    rows, worst = [], {500: [], 50: []}
    for round_ in range(options.rounds):
        raw = sqlite_commits(Path(tempfile.mkdtemp(dir=folder)), 4)["acknowledged"]["p99"]
        for judges, tokens, pause in [(500, many, 2.0), (50, few, 0.2)]:
            seen = server.load(options.client, tokens, 15, pause)
            worst[judges].append((seen["acknowledged"]["p99"], raw))
            rows.append([
                f"{judges} judges, {pause:g} s, round {round_ + 1}", f"{seen['rate']:.0f}",
                f"{seen['acknowledged']['median']:.2f}", f"{seen['acknowledged']['p99']:.2f}",
                f"{seen['next']['p99']:.2f}", f"{raw:.2f}",
            ])  # fmt: skip
    server.stop()
    to_raw = sorted(p99 / raw for p99, raw in worst[500])[options.rounds // 2]
    to_few = sorted(a / b for (a, _), (b, _) in zip(worst[500], worst[50]))[options.rounds // 2]
    header = ["", "judgments a second", "acknowledged, ms", "99%", "next, 99%", "single commit, 99%"]
    return f"""## With pauses (SQLite)

{table(header, rows)}

- 500 judges, 99th percentile of an acknowledgement to that of a single commit: \
{verdict(to_raw, "at most 10", to_raw <= 10)}
- the same to that of 50 judges at the same rate: {verdict(to_few, "at most 2", to_few <= 2)}"""


class Potato:
    """Potato with the same pairs."""

    CONFIG = """
port: {port}
server_name: potato
annotation_task_name: pairs
task_dir: .
output_annotation_dir: out/
output_annotation_format: json
data_files: [data/pairs.jsonl]
item_properties: {{id_key: id, text_key: text}}
user_config: {{allow_all_users: true, users: []}}
require_password: false
alert_time_each_instance: 10000000
assignment_strategy: random
max_annotations_per_user: -1
max_annotations_per_item: 10
annotation_schemes:
  - annotation_type: pairwise
    name: closer
    description: Which is closer?
    items_key: pair
    allow_tie: true
    tie_label: Equally similar
site_dir: default
"""

    def __init__(self, potato: str, folder: Path, pairs: list[tuple[str, str, str]], port: int):
        (folder / "data").mkdir(parents=True)
        with (folder / "data" / "pairs.jsonl").open("w") as file:
            for number, (query, a, b) in enumerate(pairs):
                file.write(json.dumps({"id": f"p{number}", "text": query, "pair": [a, b]}) + "\n")
        (folder / "config.yaml").write_text(self.CONFIG.format(port=port))
        self.address = f"127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [potato, "start", "config.yaml", "-p", str(port), "--host", "127.0.0.1"],
            cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        STARTED.append(self.process)
        for _ in range(120):
            try:
                urllib.request.urlopen(f"http://{self.address}/", timeout=10).read()
                return
            except OSError:
                time.sleep(0.5)
        raise SystemExit("Potato does not answer")

    def load(self, client: str, judges: int, seconds: float) -> dict:
        """As that of partita."""
        cpu = cpu_of(self.process.pid)
        command = [client, "potato", self.address, str(judges), str(seconds), "0"]
        done = subprocess.run(command, check=True, capture_output=True, timeout=seconds + 120)
        seen = json.loads(done.stdout)
        seen["server_cpu"] = cpu_of(self.process.pid) - cpu
        seen["rate"] = seen["judgments"] / seen["seconds"]
        return seen

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=30)


def beside_potato(options: argparse.Namespace, folder: Path) -> str:
    """The same pairs and the same client, as answers of each person grow."""
    judges, slices = 20, 4
    asked = document("potato", 200, 20)
    rng = random.Random(13)
    pairs = []
    for query in asked["lists"]:
        for _ in range(20):
            a, b = rng.sample(query["items"], 2)
            pairs.append((query["show"]["text"], a["show"]["text"], b["show"]["text"]))
    server = Server(options.partita, folder / "beside")
    tokens = server.campaign(asked, judges)
    potato = Potato(options.potato, folder / "potato", pairs, options.port)
    rows, ratios, costs = [], [], []
    total = {"partita": 0, "Potato": 0}
    for _ in range(slices):
        # What entering takes is no part of a judgment.
        entering = server.load(options.client, tokens, 0, 0), potato.load(options.client, judges, 0)
        ours = server.load(options.client, tokens, 3, 0)
        theirs = potato.load(options.client, judges, 10)
        for seen, before in zip((ours, theirs), entering):
            seen["server_cpu"] = max(0.01, seen["server_cpu"] - before["server_cpu"])
        row = []
        for name, seen in [("partita", ours), ("Potato", theirs)]:
            total[name] += seen["judgments"]
            seen["each"] = 1e3 * seen["server_cpu"] / max(1, seen["judgments"])
            row += [
                f"{total[name] / judges:,.0f}", f"{seen['rate']:,.0f}", f"{seen['each']:.3f}",
                f"{seen['acknowledged']['median'] or 0:.1f}",
            ]  # fmt: skip
        rows.append(row)
        ratios.append(ours["rate"] / theirs["rate"])
        costs.append(theirs["each"] / ours["each"])
    server.stop()
    potato.stop()
    ratio, cost = sorted(ratios)[slices // 2], sorted(costs)[slices // 2]
    columns = ["answers a person", "judgments a second", "CPU ms each", "acknowledged, ms"]
    header = [f"{name}: {column}" for name in ["partita", "Potato"] for column in columns]
    return f"""## Beside Potato

{judges} judges without pauses on either, in turns; CPU time is that of the server. Potato too syncs before it
answers: the whole state of a person each time.

{table(header, rows)}

- judgments a second, partita to Potato: {verdict(ratio, "at least 50", ratio >= 50)}
- CPU time of a judgment, Potato to partita: {verdict(cost, "at least 50", cost >= 50)}"""


def large(options: argparse.Namespace, folder: Path) -> str:
    """A campaign of 1,000 lists and 100,000 answers, started again, beside one of 10 lists."""
    server = Server(options.partita, folder / "large")
    tokens = server.campaign(document("large", 1000, 20), 60)
    answers, begun = 0, time.monotonic()
    while answers < options.answers and time.monotonic() - begun < 180:
        seen = server.load(options.client, tokens, 5, 0)
        answers += seen["judgments"]
        assert seen["idle"] == 0
    server.stop()
    starts = []
    for _ in range(3):
        server = Server(options.partita, folder / "large")
        listening = cpu_of(server.process.pid)
        token = tokens.read_text().split()[0]
        server.ask("/api/v1/judge/next", {}, token)
        starts.append((cpu_of(server.process.pid), listening))
        if len(starts) < 3:
            server.stop()
    cpu, listening = sorted(starts)[1]
    small = Server(options.partita, folder / "small")
    few = small.campaign(document("small", 10, 20, votes=15), 60)
    rows, ratios = [], []
    for round_ in range(options.rounds):
        p99 = []
        for name, place, judges in [("1,000", server, tokens), ("10", small, few)]:
            seen = place.load(options.client, judges, 8, 0.3)
            p99.append(seen["next"]["p99"])
            rows.append([
                f"{name} lists, round {round_ + 1}", f"{seen['rate']:.0f}",
                f"{seen['next']['median']:.2f}", f"{seen['next']['p99']:.2f}",
                f"{1e6 * seen['server_cpu'] / seen['judgments']:.0f}",
            ])  # fmt: skip
        ratios.append(p99[0] / p99[1])
    server.stop()
    small.stop()
    ratio = sorted(ratios)[options.rounds // 2]
    header = ["60 judges, pauses of 0.3 s", "judgments a second", "next, ms", "99%", "server CPU us each"]
    return f"""## 1,000 lists and {answers:,} answers

- CPU seconds from the start until the first judge has their next task, median of 3 starts \
({listening:.2f} of them until it listens): {verdict(cpu, "at most 3", cpu <= 3)}
- 99th percentile of `next` to that with 10 lists: {verdict(ratio, "at most 1.5", ratio <= 1.5)}

{table(header, rows)}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--partita", required=True, help="the program")
    parser.add_argument("--client", required=True, help="the example bench_server")
    parser.add_argument("--potato", help="the program potato; without it that part is left out")
    parser.add_argument("--port", type=int, default=8911, help="a free port for Potato")
    parser.add_argument("--answers", type=int, default=100_000, help="answers of the large campaign")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["full", "pauses", "potato", "large"], action="append")
    parser.add_argument("--no-results", action="store_true", help="print only, write no folder")
    options = parser.parse_args()
    atexit.register(end_all)
    options.database = os.environ.get("PARTITA_TEST_POSTGRES")
    load_before = os.getloadavg()[0]
    wanted = options.only or ["full", "pauses", "potato", "large"]
    parts = []
    with tempfile.TemporaryDirectory(dir=ROOT / "target") as name:
        folder = Path(name)
        if "full" in wanted:
            parts.append(at_full_speed(options, folder))
        if "pauses" in wanted:
            parts.append(with_pauses(options, folder))
        if "potato" in wanted and options.potato:
            parts.append(beside_potato(options, folder))
        if "large" in wanted:
            parts.append(large(options, folder))
    packages = [["potato-annotation", "2.12.0"]] if options.potato else []
    summary = f"""# The judging server

Written by `bench/run server`; every figure with a target is a ratio within this run. Judges and servers share the
cores of the machine.

{(chr(10) * 2).join(parts)}

## Where

{table(["", ""], facts(load_before) + packages)}
"""
    print(summary)
    if not options.no_results:
        kept = folder_of_today()
        (kept / "server.md").write_text(summary)
        print(f"kept in {kept.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
