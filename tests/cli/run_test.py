#!/usr/bin/env python3
"""Tests of the command-line test runner itself."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import run


class Matching(unittest.TestCase):
    def test_no_expectation_matches_anything(self):
        self.assertTrue(run.matches(None, ["a"]))

    def test_a_bare_mark_means_empty(self):
        self.assertTrue(run.matches([""], []))
        self.assertFalse(run.matches([""], ["a"]))

    def test_lines_match_exactly(self):
        self.assertTrue(run.matches(["a", "b"], ["a", "b"]))
        self.assertFalse(run.matches(["a", "b"], ["a"]))
        self.assertFalse(run.matches(["a"], ["a", "b"]))
        self.assertFalse(run.matches(["a.c"], ["abc"]))

    def test_dots_inside_a_line_match_any_text(self):
        self.assertTrue(run.matches(["took ... ms"], ["took 15 ms"]))
        self.assertFalse(run.matches(["took ... ms"], ["took 15 s"]))

    def test_a_line_of_dots_matches_any_number_of_lines(self):
        for actual in ([], ["x"], ["x", "y"]):
            self.assertTrue(run.matches(["a", "...", "b"], ["a", *actual, "b"]))
        self.assertTrue(run.matches(["..."], []))
        self.assertFalse(run.matches(["a", "...", "b"], ["a", "x"]))
        self.assertTrue(run.matches(["...", "b", "..."], ["x", "b", "b", "y"]))


class Parsing(unittest.TestCase):
    def parsed(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.test"
            path.write_text(text)
            return run.parse(path)

    def test_reads_all_kinds_of_lines(self):
        test = self.parsed("# words\nneeds: data-pack a/b\n$ first\n  more\n> out\n! err\n? 3\n\n$ second\n")
        self.assertEqual(test.needs, ["a/b"])
        first, second = test.steps
        self.assertEqual(first.command, "first\n  more")
        self.assertEqual((first.stdout, first.stderr, first.status), (["out"], ["err"], 3))
        self.assertEqual((second.stdout, second.stderr, second.status), (None, None, 0))

    def test_rewrites_what_it_read(self):
        text = "# words\n$ first\n> out\n! err\n? 3\n\n$ second\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.test"
            path.write_text(text)
            run.Runner.rewrite(run.parse(path))
            self.assertEqual(path.read_text(), text)

    def test_refuses_other_lines(self):
        with self.assertRaises(SystemExit):
            self.parsed("$ first\nnonsense\n")


if __name__ == "__main__":
    unittest.main()
