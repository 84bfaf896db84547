#!/usr/bin/env python3
"""Makes report.md and an SVG chart a case from results.json and run.json, which bench/run has left in bench/out."""

import json
import os
import platform
from pathlib import Path

import chart
from cases import ALL, CASES
from chart import number
from systems import ROOT, SYSTEMS

UNITS = {"ns_per_message": "ns per {unit}", "bytes_per_actor": "bytes per actor", "p50_us": "median, µs", "p99_us": "p99, µs"}


def measured(row, shown):
    """A median, with its spread if it has one."""
    if row is None:
        return "–"
    text = number(row[shown])
    if shown == "ns_per_message":
        text += f" ({number(row['ns_min'])}–{number(row['ns_max'])})"
    if "p99_us" in row:
        text = f"{number(row['p50_us'])} / {number(row['p99_us'])}"
    return text + (f", {row['lost_percent']:.0f} % lost" if row.get("lost_percent") else "")


def yardstick(case):
    """What ours is compared with: the bare thing that is measured beside it, or else the best peer."""
    return f"{case.baseline} / troupe" if case.baseline else "best peer / troupe"


def ratio(case, rows):
    """How many times better ours is, or –."""
    ours = next((row for row in rows if row["system"] == "troupe"), None)
    others = [row for row in rows if row["system"] != "troupe" and (row["system"] == case.baseline or not case.baseline)]
    best = min(others, key=lambda row: row[case.shown], default=None)
    return f"{number(best[case.shown] / ours[case.shown])}× ({best['system']})" if ours and best and ours[case.shown] else "–"


def groups(case, results):
    """What is compared with each other: by mailbox, and by size where sizes are part of the question."""
    rows = [row for row in results if row["benchmark"] == case.name and case.shown in row]
    found = {}
    for row in rows:
        key = row.get("mailbox", ""), row["messages"] if case.sizes else 0
        found.setdefault(key, []).append(row)
    several = len({size for _, size in found}) > 1
    for (mailbox, size), members in found.items():
        yield " ".join(filter(None, [mailbox, f"{size:,}" if several else ""])), members


def table(case, title, rows):
    heads = [f"**{title}**" if title else "", "1 worker", "2 workers"]
    lines = ["| " + " | ".join(heads) + " |", "|---|---|---|"]

    def of(system):
        return [next((row for row in rows if (row["system"], row["workers"]) == (system, workers)), None) for workers in (1, 2)]

    for system in ["troupe", case.baseline] if case.baseline else ALL.split():
        lines.append(f"| {system} | " + " | ".join(measured(row, case.shown) for row in of(system)) + " |")
    ratios = [ratio(case, [row for row in rows if row["workers"] == workers]) for workers in (1, 2)]
    return [*lines, f"| {yardstick(case)} | {' | '.join(ratios)} |", ""]


def overview(results):
    lines = ["| Case | 1 worker | best peer / troupe | 2 workers | best peer / troupe |", "|---|---|---|---|---|"]
    for case in CASES:
        for title, rows in groups(case, results):
            cells = []
            for workers in (1, 2):
                those = [row for row in rows if row["workers"] == workers]
                ours = next((row for row in those if row["system"] == "troupe"), None)
                cells += [number(ours[case.shown]) if ours else "–", ratio(case, those)]
            lines.append(f"| {f'{case.name} {title}'.strip()} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def machine():
    cpu = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                if line.startswith("model name")), platform.machine())
    release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    return f"{cpu}, {os.cpu_count()} cores, {release.get('PRETTY_NAME', '').strip(chr(34))}, Linux {platform.release()}"


def settings(run):
    lines = ["## Systems and their settings", "", "| System | Version | Settings |", "|---|---|---|"]
    for name, version in run["versions"].items():
        lines.append(f"| {name} | {version} | {SYSTEMS[name].settings} |")
    return [*lines, "", *[f"- {sentence}" for sentence in run["missing"] + run["failures"]], ""]


def write(out):
    results = json.loads((out / "results.json").read_text())
    run = json.loads((out / "run.json").read_text())
    lines = ["# Benchmarks", "",
             f"{machine()}. Began {run['began']} with a load of {run['load']:.1f}; {run['repeats']} repeats of each, systems in "
             f"turn{', quick' if run['quick'] else ''}. Medians, in brackets the least and the most; – where a system does not "
             "take part. What each case does stands in `bench/cases.py`. Trust ratios, not absolute figures.", "",
             *overview(results)]
    for case in CASES:
        compared = list(groups(case, results))
        if not compared:
            continue
        unit = UNITS[case.shown].format(unit=case.unit)
        told = "median / p99, µs" if case.shown.endswith("_us") else unit
        lines += [f"## {case.name}", "", f"{told[0].upper()}{told[1:]}. [Chart]({case.name}.svg)", ""]
        for title, rows in compared:
            lines += table(case, title, rows)
        (out / f"{case.name}.svg").write_text(chart.svg(case, unit, compared))
    (out / "report.md").write_text("\n".join(lines + settings(run)))


if __name__ == "__main__":
    write(ROOT / "bench/out")
