#!/usr/bin/env python3
"""Shows scripts/tidy small histories, and which files it looks at. A program that refuses BAD stands for clang-tidy."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent.parent / "scripts"

CLANG_TIDY = r"""#!/usr/bin/env python3
import re, sys
from pathlib import Path

def read(path):
    text = Path(path).read_text()
    if path.endswith(".cpp"):
        open("{log}", "a").write(path + "\n")
    found = text.startswith("BAD")
    if found:
        print(f"{path}:1:1: error: BAD\n    1 | BAD")
    return any([read(header) for header in re.findall('#include "(.*)"', text)]) or found

sys.exit(read(sys.argv[-1]))
"""

DAY = 24 * 60 * 60


class Tidy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "clone"
        shutil.copytree(SCRIPTS, self.root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        self.write(".gitignore", "/build/\n/log\n__pycache__/\n")
        tool = self.root / "build/tools/clang-tidy-19"
        self.write(tool, CLANG_TIDY.replace("{log}", str(self.root / "log")))
        tool.chmod(0o755)
        self.git("init", "-q", "-b", "main")
        self.now = 1_800_000_000

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def git(self, *arguments):
        at = {"GIT_COMMITTER_DATE": f"{getattr(self, 'now', 0)} +0000"}
        who = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
        subprocess.run(["git", *who, *arguments], cwd=self.root, check=True, env=os.environ | at, capture_output=True)

    def commit(self, *paths, text=""):
        for path in paths:
            self.write(path, text + f"// {self.now}\n")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")
        self.now += 60

    def tidy(self, *arguments):
        """Its status, what it printed, and the sources that it looked at, one process after the other."""
        built = [path for path in sorted(self.root.glob("src/**/*.cpp"))]
        self.write("build/dev/compile_commands.json", json.dumps(
            [{"directory": str(self.root), "file": str(path), "command": f"c++ -c {path}"} for path in built]))
        (self.root / "log").write_text("")
        path = f"{self.root / 'build/tools'}:{os.environ['PATH']}"
        ran = subprocess.run([self.root / "scripts/tidy", *arguments], capture_output=True, text=True, env=os.environ | {"PATH": path})
        return ran.returncode, ran.stdout + ran.stderr, (self.root / "log").read_text().split()

    def looked_at(self, *arguments):
        status, output, log = self.tidy(*arguments)
        self.assertEqual(status, 0, output)
        return {str(Path(path).relative_to(self.root)) for path in log}

    def test_a_branch_is_looked_at_since_it_left_the_main_branch_of_its_origin(self):
        self.commit("src/old.cpp")
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.commit("src/first.cpp")
        self.commit("src/second.cpp")
        self.write("src/not_committed.cpp", "")
        self.assertEqual(self.looked_at(), {"src/first.cpp", "src/second.cpp", "src/not_committed.cpp"})

    def test_without_an_origin_a_branch_is_looked_at_since_it_left_main(self):
        self.commit("src/old.cpp")
        self.git("checkout", "-q", "-b", "branch")
        self.commit("src/new.cpp")
        self.assertEqual(self.looked_at(), {"src/new.cpp"})

    def test_main_is_looked_at_over_its_last_day(self):
        self.commit("src/old.cpp")
        self.now += DAY
        self.commit("src/first.cpp")
        self.git("checkout", "-q", "-b", "landing")
        self.commit("src/landed.cpp")
        self.git("checkout", "-q", "main")
        self.commit("src/second.cpp")
        self.git("merge", "-q", "--no-ff", "landing")
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.assertEqual(self.looked_at(), {"src/first.cpp", "src/landed.cpp", "src/second.cpp"})

    def test_a_clone_without_a_past_is_looked_at_as_a_whole(self):
        self.commit("src/a.cpp", "src/b.cpp")
        self.assertEqual(self.looked_at(), {"src/a.cpp", "src/b.cpp"})

    def test_all_is_all_that_is_compiled(self):
        self.commit("src/old.cpp", "tests/misuse/never_compiled.cpp")
        self.now += DAY
        self.commit("src/new.cpp")
        self.assertEqual(self.looked_at("--all"), {"src/old.cpp", "src/new.cpp"})

    def test_a_file_can_be_named(self):
        self.commit("src/a.cpp", "src/b.cpp")
        self.assertEqual(self.looked_at("src/b.cpp"), {"src/b.cpp"})

    def test_what_is_gone_is_not_looked_at(self):
        self.commit("src/a.cpp", "src/b.cpp")
        self.git("rm", "-q", "src/a.cpp")
        self.commit()
        self.assertEqual(self.looked_at(), {"src/b.cpp"})

    def test_headers_of_a_folder_are_looked_at_in_one_go(self):
        self.commit("src/core/a.cpp", "src/core/a.hpp", "src/core/b.hpp", "src/all.hpp")
        self.assertEqual(self.looked_at("--all"), {"build/tidy/src/headers.cpp", "build/tidy/src/core/headers.cpp", "src/core/a.cpp"})

    def test_a_finding_fails_and_is_shown_once(self):
        self.commit("src/a.hpp", text="BAD\n")
        self.commit("src/a.cpp", "src/b.cpp", text=f'#include "{self.root}/src/a.hpp"\n')
        status, output, _ = self.tidy()
        self.assertEqual((status, output.count("src/a.hpp:1:1: error: BAD\n    1 | BAD")), (1, 1), output)
        self.assertIn("scripts/tidy: 1 to mend", output)

    def test_what_does_not_fit_the_time_is_the_oldest_and_is_named(self):
        self.commit("src/oldest.cpp")
        self.commit("src/newer.cpp")
        status, output, log = self.tidy("--within", "0")
        self.assertEqual((status, log), (0, []), output)
        self.assertIn("2 of the changed files were NOT looked at within 0 s, those changed longest ago: src/newer.cpp src/oldest.cpp", output)

    def test_without_a_build_nothing_is_guessed(self):
        ran = subprocess.run([self.root / "scripts/tidy"], capture_output=True, text=True)
        self.assertIn("Run scripts/build dev", ran.stderr)


if __name__ == "__main__":
    unittest.main()
