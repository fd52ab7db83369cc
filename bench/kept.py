"""What every measurement is kept with: the machine, the versions, and the folder of the day."""

import datetime
import os
import platform
from importlib.metadata import version
from pathlib import Path

from evaluate import BENCH, cpu_model, output_of, slug


def facts(load_before: float, *packages: str) -> list[list[str]]:
    """The machine, what ran on it, and the versions of these Python packages."""
    commit = output_of("git", "rev-parse", "--short", "HEAD")
    changed = output_of("git", "status", "--porcelain", "--", "crates", "Cargo.toml", "Cargo.lock")
    return [
        ["CPU", cpu_model()],
        ["cores", str(len(os.sched_getaffinity(0)))],
        ["kernel", f"{platform.system()} {platform.release().split('-')[0]}"],
        ["load average before", f"{load_before:.2f}"],
        ["load average after", f"{os.getloadavg()[0]:.2f}"],
        ["rustc", output_of("rustc", "--version").removeprefix("rustc ")],
        ["partita", f"commit {commit}{' with changes' if changed else ''}"],
        ["Python", platform.python_version()],
        *([package, version(package)] for package in packages),
    ]


def folder_of_today() -> Path:
    """The folder in which today's results of this machine are kept."""
    day = datetime.date.today().isoformat()
    name = f"{day}-{slug(cpu_model())}-{len(os.sched_getaffinity(0))}-cores"
    folder = BENCH / "results" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder
