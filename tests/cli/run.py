#!/usr/bin/env python3
"""Runs the command-line tests: tests/cli/<verb>/<behaviour>.test.

A test file holds steps, each a command and what is expected of it:

    # What is promised, in a sentence.
    needs: data-pack nifti/niivue/RAS.nii.gz
    $ fiducial convert in.nii out.nii
    > a line of standard output
    ! a line of standard error
    ? 3

The command runs in bash -e in a fresh folder that the steps of a file share. '  ' (two spaces) continues a
command on the next line. Without '>' ('!') lines that stream is not compared; a bare '>' alone means it is
empty. '...' inside a line matches any text, a line that is only '...' any number of lines. Without '?' the
status is 0. Files that end in .slow.test run only with --full. Sanitizers need more memory than a test allows
the command: MEMORY_KIB in the environment says how much instead.
"""

import argparse
import concurrent.futures
import dataclasses
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
TIMEOUT_S = 300


@dataclasses.dataclass
class Step:
    command: str
    stdout: list | None = None
    stderr: list | None = None
    status: int = 0
    blank_lines_before: int = 0


@dataclasses.dataclass
class Test:
    path: pathlib.Path
    preamble: list
    needs: list
    steps: list


@dataclasses.dataclass
class Outcome:
    test: Test
    kind: str  # passed, failed or skipped
    text: str = ""


def parse(path):
    test = Test(path, [], [], [])
    blanks = 0
    for number, line in enumerate(path.read_text().splitlines(), 1):
        mark, rest = line[:1], line[2:]
        if not line.strip():
            blanks += 1
            continue
        if mark == "$":
            test.steps.append(Step(rest, blank_lines_before=blanks))
        elif not test.steps and (mark == "#" or line.startswith("needs: data-pack ")):
            test.preamble.append(line)
            if mark != "#":
                test.needs.append(line.removeprefix("needs: data-pack ").strip())
        elif test.steps and mark in ">!":
            name = "stdout" if mark == ">" else "stderr"
            setattr(test.steps[-1], name, (getattr(test.steps[-1], name) or []) + [rest])
        elif test.steps and mark == "?":
            test.steps[-1].status = int(rest)
        elif test.steps and line.startswith("  "):
            test.steps[-1].command += "\n" + line
        else:
            raise SystemExit(f"{path}:{number}: not a test line: {line}")
        blanks = 0
    if not test.steps:
        raise SystemExit(f"{path}: no steps")
    return test


def line_matches(expected, actual):
    pieces = [re.escape(piece) for piece in expected.split("...")]
    return re.fullmatch(".*".join(pieces), actual) is not None


def matches(expected, actual):
    if expected is None:
        return True
    if expected == [""]:
        return not actual
    # reachable[i]: the first i expected lines can match what was seen of the actual ones.
    reachable = [True] + [False] * len(expected)
    for i, line in enumerate(expected):
        reachable[i + 1] = reachable[i] and line == "..."
    for seen in actual:
        after = [False] * (len(expected) + 1)
        for i, line in enumerate(expected):
            if line == "...":
                after[i + 1] = reachable[i + 1] or reachable[i] or after[i]
            else:
                after[i + 1] = reachable[i] and line_matches(line, seen)
        reachable = after
    return reachable[-1]


def rendered(step):
    lines = [""] * step.blank_lines_before + ["$ " + step.command]
    for mark, expected in ((">", step.stdout), ("!", step.stderr)):
        lines += [f"{mark} {line}".rstrip() for line in expected or []]
    if step.status != 0:
        lines.append(f"? {step.status}")
    return lines


class Runner:
    def __init__(self, options, tools):
        self.options = options
        self.tools = tools
        self.data_pack = os.environ.get("FIDUCIAL_DATA_PACK", "")

    def environment(self, folder):
        kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "ASAN_OPTIONS", "MEMORY_KIB") if name in os.environ}
        return kept | {
            "PATH": f"{self.tools}:/usr/local/bin:/usr/bin:/bin",
            "HOME": folder,
            "TMPDIR": folder,
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": str(TESTS),
            "PYTHONDONTWRITEBYTECODE": "1",
            "FIDUCIAL_TESTS_DIR": str(TESTS),
            "FIDUCIAL_DATA_PACK": self.data_pack,
        }

    def run_step(self, step, folder):
        command = ["bash", "-e", "-c", step.command]
        done = subprocess.run(command, cwd=folder, env=self.environment(folder), stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=TIMEOUT_S)
        decode = lambda raw: raw.decode("utf-8", "backslashreplace").splitlines()
        return Step(step.command, decode(done.stdout), decode(done.stderr), done.returncode,
                    step.blank_lines_before)

    def run(self, test):
        for name in test.needs:
            if not self.data_pack or not os.path.exists(os.path.join(self.data_pack, name)):
                return Outcome(test, "skipped", f"data pack without {name}")
        problems = []
        with tempfile.TemporaryDirectory(prefix="fiducial-cli-") as folder:
            work = os.path.join(folder, "work")
            os.mkdir(work)
            for index, step in enumerate(test.steps):
                try:
                    actual = self.run_step(step, work)
                except subprocess.TimeoutExpired:
                    problems.append(f"$ {step.command}\nstill running after {TIMEOUT_S} s\n")
                    break
                if self.step_passes(step, actual):
                    continue
                shown = self.as_expected(step, actual)
                problems.append("".join(f"{line}\n" for line in difflib.unified_diff(
                    rendered(step), rendered(shown), "expected", "actual", lineterm="", n=99)))
                if not self.options.update:
                    break
                test.steps[index] = shown
        if problems and self.options.update:
            self.rewrite(test)
        return Outcome(test, "failed" if problems else "passed", "".join(problems))

    @staticmethod
    def step_passes(step, actual):
        return (step.status == actual.status and matches(step.stdout, actual.stdout)
                and matches(step.stderr, actual.stderr))

    @staticmethod
    def as_expected(step, actual):
        """The actual step with only those streams a correct expectation would list."""
        silent = step.stdout is None and step.stderr is None
        surprising = actual.status != step.status
        shown = Step(step.command, None, None, actual.status, step.blank_lines_before)
        if step.stdout is not None or (silent and actual.stdout):
            shown.stdout = step.stdout if matches(step.stdout, actual.stdout) and not silent else actual.stdout or [""]
        if step.stderr is not None or ((silent or surprising) and actual.stderr):
            keep = step.stderr is not None and matches(step.stderr, actual.stderr)
            shown.stderr = step.stderr if keep else actual.stderr or [""]
        return shown

    @staticmethod
    def rewrite(test):
        lines = list(test.preamble)
        for step in test.steps:
            lines += rendered(step)
        test.path.write_text("\n".join(lines) + "\n")


def link_tools(folder, binary):
    os.symlink(binary, os.path.join(folder, "fiducial"))
    for name, arguments in (("python3", ""), ("fixture", "-m fixtures ")):
        path = os.path.join(folder, name)
        with open(path, "w") as script:
            script.write(f'#!/bin/sh\nexec "{sys.executable}" {arguments}"$@"\n')
        os.chmod(path, 0o755)


def chosen_tests(options):
    paths = sorted((TESTS / "cli").rglob("*.test"))
    return [path for path in paths if options.filter in str(path.relative_to(TESTS / "cli"))
            and (options.full or not path.name.endswith(".slow.test"))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fiducial", default=str(TESTS.parent / "build/bin/fiducial"), help="the built command")
    parser.add_argument("--filter", default="", help="run only files whose path contains this text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--full", action="store_true", help="run *.slow.test too")
    parser.add_argument("--update", action="store_true", help="rewrite expectations to what was seen")
    options = parser.parse_args()
    binary = os.path.abspath(options.fiducial)
    if not os.access(binary, os.X_OK):
        raise SystemExit(f"{binary}: not built")
    tests = [parse(path) for path in chosen_tests(options)]
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory(prefix="fiducial-tools-") as tools:
        link_tools(tools, binary)
        with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
            for outcome in pool.map(Runner(options, tools).run, tests):
                counts[outcome.kind] += 1
                if outcome.kind != "passed":
                    print(f"{outcome.kind}: {outcome.test.path.relative_to(TESTS)}\n{outcome.text.rstrip()}")
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 1 if counts["failed"] and not options.update else 0


if __name__ == "__main__":
    sys.exit(main())
