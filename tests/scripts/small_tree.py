"""A small tree to show a check: a repository of its own, with the project's scripts in it."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class SmallTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        shutil.copytree(ROOT / "scripts", self.root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments):
        who = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"]
        subprocess.run(["git", "-C", self.root, *who, *arguments], check=True, capture_output=True)

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "-q", "-m", "a step")

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def run_script(self, *command):
        ran = subprocess.run([self.root / "scripts" / command[0], *command[1:]], capture_output=True, text=True)
        return ran.returncode, ran.stdout + ran.stderr

    def refuses(self, check, *expected):
        status, output = self.run_script("check", check)
        self.assertNotEqual(status, 0, output)
        for words in expected:
            self.assertIn(words, output)

    def accepts(self, check):
        status, output = self.run_script("check", check)
        self.assertEqual(status, 0, output)
