"""The tree: which files the project has, and which headers it shows."""

import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@cache
def files():
    """All files of the project, committed or not yet, as paths from the root."""
    listing = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                             cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return sorted(path for name in listing.split("\0") if name and (path := Path(name)) and (ROOT / path).is_file())


@cache
def text(path):
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


def cpp_files():
    return [path for path in files() if path.suffix in (".hpp", ".cpp")]


def is_test(path):
    return path.stem.endswith("_test") or path.parts[0] == "tests"


def public_headers():
    """The headers that the layers' CMake file sets list, as paths from the root."""
    found = []
    for lists in (path for path in files() if path.match("src/troupe/*/CMakeLists.txt")):
        named = re.search(r"set\(public_headers\b(.*?)\)", text(lists), re.DOTALL)
        found += [Path("src") / name for name in re.sub(r"#.*", "", named[1]).split()] if named else []
    return sorted(found)
