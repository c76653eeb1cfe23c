#!/usr/bin/env python3
"""Is a sweep in parts the sweep in one piece? Split by hand, by GNU parallel, and wrongly."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parents[2]
QUELL = os.environ.get("QUELL", str(HERE / "build/release/quell"))
# Two scenarios: one with a specimen that misses bounds in some seeds, one with variants and comparisons.
SWEEP = ["collapse-recovery", "--cc", "reno,cubic-quiche-2020", "--seeds", "7"]
COMPARING = ["ack-partition", "--cc", "reno", "--seeds", "2"]


def quell(*arguments):
    return subprocess.run([QUELL, "lab", *map(str, arguments)], capture_output=True, text=True, timeout=240, check=False)


class Sweep(unittest.TestCase):
    def setUp(self):
        self.at = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def in_one_piece(self, sweep):
        return quell("run", *sweep, "--json", "-")

    def part(self, sweep, index, of, jobs=1):
        file = self.at / f"part{index}.json"
        result = quell("run", *sweep, "--shard", f"{index}/{of}", "--jobs", jobs, "--json", file)
        self.assertEqual(result.returncode, 0, result.stderr)
        return file

    def same(self, sweep, parts):
        whole = self.in_one_piece(sweep)
        merged = quell("merge", *parts, "--json", "-")
        self.assertEqual(merged.stdout, whole.stdout)
        self.assertEqual(merged.stderr, whole.stderr)
        self.assertEqual(merged.returncode, whole.returncode)

    def test_in_three_parts_in_any_order_is_the_same_to_the_last_byte(self):
        parts = [self.part(SWEEP, index, 3, jobs=index) for index in (1, 2, 3)]
        self.same(SWEEP, [parts[2], parts[0], parts[1]])

    def test_with_comparisons_is_the_same(self):
        self.same(COMPARING, [self.part(COMPARING, index, 2) for index in (1, 2)])

    def test_may_have_more_parts_than_seeds(self):
        self.same(COMPARING, [self.part(COMPARING, index, 3) for index in (1, 2, 3)])

    def test_runs_on_gnu_parallel(self):
        command = ["parallel", "--will-cite", "-j2", QUELL, "lab", "run", *SWEEP, "--jobs", "1", "--shard", "{}/4",
                   "--json", str(self.at / "p{}.json"), ":::", "1", "2", "3", "4"]
        subprocess.run(command, check=True, timeout=240)
        self.same(SWEEP, sorted(self.at.glob("p*.json")))

    def refused(self, words, *files):
        result = quell("merge", *files)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn(words, result.stderr)

    def test_with_a_wrong_part_is_refused_and_told_which(self):
        one, two = (self.part(COMPARING, index, 2) for index in (1, 2))
        other = self.at / "other.json"
        record = json.loads(one.read_text())
        record["seeds"] = [1, 2, 3]
        other.write_text(json.dumps(record))
        short = self.at / "short.json"
        short.write_text(two.read_text()[:1000])
        stranger = self.at / "stranger.json"
        stranger.write_text("{}")
        self.refused("part 2/2 is missing", one)
        self.refused("are both part 1", one, one)
        self.refused("different sweeps", two, other)
        self.refused("damaged, or cut off", one, short)
        self.refused("is no part of a sweep", one, stranger)
        self.refused("cannot read", one, self.at / "nowhere.json")

    def test_needs_a_place_for_what_a_part_finds_and_a_part_that_exists(self):
        self.assertEqual(quell("run", *COMPARING, "--shard", "1/2").returncode, 2)
        for wrong in ("0/2", "3/2", "1", "1/2/3", "a/b", "-1/2"):
            result = quell("run", *COMPARING, f"--shard={wrong}", "--json", self.at / "x.json")
            self.assertEqual(result.returncode, 2, wrong)
            self.assertIn("write I/N", result.stderr)


if __name__ == "__main__":
    unittest.main()
