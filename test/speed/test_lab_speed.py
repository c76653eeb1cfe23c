#!/usr/bin/env python3
"""Is the laboratory fast enough to be asked often? CPU time of the release build, which does not depend on who else runs.

  test_lab_speed.py      $QUELL names another program than build/release/quell
"""
import json
import pathlib
import resource
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import peers  # noqa: E402

# A person who changes a controller runs a hundred seeds of each scenario after every edit: ten seconds is what
# they wait for gladly. Real time would be over 400 s for these runs.
MOST_CPU_S = 10


def run_lab(*arguments):
    """The JSON of a run, and the CPU seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([peers.quell_program(), "lab", "run", *arguments, "--json", "-"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=240)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise AssertionError(f"quell lab run ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class LabSpeed(unittest.TestCase):
    def test_a_hundred_seeds_of_collapse_recovery_take_ten_cpu_seconds_at_most(self):
        for controller in ("cubic", "reno"):
            with self.subTest(controller):
                result, cpu_s = run_lab("collapse-recovery", "--cc", controller, "--seeds", "100")
                print(f"{controller}: 100 seeds, {cpu_s:.2f} s of CPU", flush=True)
                self.assertTrue(result["ok"], result)
                self.assertEqual(result["results"][0]["seeds"], 100)
                self.assertLessEqual(cpu_s, MOST_CPU_S)

    def test_the_number_of_jobs_does_not_change_the_digest(self):
        digests = {run_lab("collapse-recovery", "--cc", "cubic", "--seeds", "8", "--jobs", jobs)[0]["digest"]
                   for jobs in ("1", "2", "1")}
        self.assertEqual(len(digests), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
