#!/usr/bin/env python3
"""Does a hunt find what is there, write it down so that it fails again, and leave the sound alone?

  test_hunt.py           a short hunt: a minute at most
  test_hunt.py --long    as the issue asks: the specimens within 60 s of CPU each, nothing in ten minutes of each sound controller

$QUELL names another program than build/release/quell.
"""
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import peers  # noqa: E402

SPECIMENS = ["cubic-quiche-2020", "cubic-time-west", "zero-pacing-rate"]
SOUND = ["cubic", "reno", "bbr3"]
LONG = "--long" in sys.argv
if LONG:
    sys.argv.remove("--long")


def quell(*arguments):
    """Exit code, output, CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([peers.quell_program(), "lab", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.returncode, done.stdout + done.stderr, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime



class Hunt(unittest.TestCase):
    def find_in(self, controller):
        with tempfile.TemporaryDirectory() as folder:
            code, text, cpu_s = quell("hunt", "--cc", controller, "--law", "liveness", "--time", "50s", "--out", folder)
            print(f"{controller}: {text.strip()}\n  {cpu_s:.1f} s of CPU with shrinking", flush=True)
            self.assertEqual(code, 1, text)
            self.assertLess(cpu_s, 60)
            found = list(pathlib.Path(folder).glob("*.toml"))
            self.assertEqual(len(found), 1)
            code, text, _ = quell("run", str(found[0]), "--cc", controller)
            self.assertEqual(code, 1, text)
            self.assertIn("liveness", text)
            return str(found[0]), quell("run", str(found[0]), "--cc", "cubic")

    def test_the_death_spiral_is_found_and_the_sound_pass_where_it_fails(self):
        for controller in SPECIMENS if LONG else SPECIMENS[:1]:
            with self.subTest(controller):
                _, (code, text, _) = self.find_in(controller)
                self.assertEqual(code, 0, text)

    def test_nothing_is_found_in_sound_controllers(self):
        for controller in SOUND:
            with self.subTest(controller):
                code, text, cpu_s = quell("hunt", "--cc", controller, "--time", "10min" if LONG else "5s", "--out", tempfile.gettempdir())
                print(f"{text.strip()}; {cpu_s:.0f} s of CPU", flush=True)
                self.assertEqual(code, 0, text)

    def test_wrong_usage_is_told(self):
        for arguments in (["--cc", "none-such"], ["--cc", "cubic", "--time", "soon"], []):
            with self.subTest(arguments):
                self.assertEqual(quell("hunt", *arguments)[0], 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
