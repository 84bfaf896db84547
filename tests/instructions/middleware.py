#!/usr/bin/env python3
"""middleware.py <message> <message_without_middleware>: what middleware costs a message that passes none."""

import subprocess
import sys
from pathlib import Path

INSTRUCTIONS = Path(__file__).resolve().parent.parent.parent / "scripts/instructions"
WITH, WITHOUT = sys.argv[1:]


def cost(program, *arguments):
    counted = subprocess.run([INSTRUCTIONS, program, *arguments], stdout=subprocess.PIPE, text=True, check=True)
    return float(counted.stdout)


failures = 0
for how in ("tell", "row", "ask"):
    without = cost(WITHOUT, how, "none")
    none, elsewhere, own = (cost(WITH, how, where) for where in ("none", "elsewhere", "own"))
    print(f"{how}: {without} compiled out, {none} with no chain, {elsewhere} with another actor's, {own} with its own")
    # A chain of one must be seen to cost something, or the measurement would see nothing at all.
    failures += none != without or elsewhere != without or own < without + 10
if failures:
    sys.exit("An actor without middleware pays for it: keep the look at its chain off the path of plain messages.")
