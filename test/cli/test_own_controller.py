#!/usr/bin/env python3
"""Can a stranger use quell_cc without the rest of the house? Installs it alone, builds both examples against it, drives
another transport with it, and runs a controller of one's own in the laboratory."""
import os
import pathlib
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parents[2]
QUELL = os.environ.get("QUELL", str(HERE / "build/release/quell"))

# Controllers that must be refused, and what the message must say.
WRONG_VERSION = """
#include "quell/cc/plugin.h"
extern "C" const quell::cc::Plugin* quell_controller_plugin() {
  static const quell::cc::Plugin plugin{.interface_version = 0, .name = "old"};
  return &plugin;
}
"""
TAKEN_NAME = """
#include "quell/cc/plugin.h"
#include "quell/cc/reno.h"
extern "C" const quell::cc::Plugin* quell_controller_plugin() {
  static const quell::cc::Plugin plugin{.name = "reno", .summary = "", .make = quell::cc::make_reno};
  return &plugin;
}
"""


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, **options)


class OwnController(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.at = pathlib.Path(cls.folder.name)
        cls.prefix = cls.at / "installed"
        cls.must("cmake", "-S", HERE, "-B", cls.at / "cc", "-DQUELL_ONLY_CC=ON", "-DCMAKE_BUILD_TYPE=Release")
        cls.must("cmake", "--build", cls.at / "cc", "-j", "2")
        cls.must("cmake", "--install", cls.at / "cc", "--component", "quell_cc", "--prefix", cls.prefix)
        cls.controller = cls.example("controller") / "libdelay_aimd.so"
        cls.transport = cls.example("transport") / "transport"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def must(cls, *command):
        result = run(*map(str, command))
        if result.returncode != 0:
            raise AssertionError(f"{' '.join(map(str, command))}:\n{result.stdout}{result.stderr}")
        return result.stdout

    @classmethod
    def example(cls, name):
        build = cls.at / name
        cls.must("cmake", "-S", HERE / "examples" / name, "-B", build, f"-DCMAKE_PREFIX_PATH={cls.prefix}")
        cls.must("cmake", "--build", build)
        return build

    @classmethod
    def library(cls, name, source):
        """A shared library from one text, built by way of pkg-config."""
        (cls.at / f"{name}.cc").write_text(source)
        flags = run("pkg-config", "--cflags", "--libs", "quell_cc",
                    env={**os.environ, "PKG_CONFIG_PATH": str(next(cls.prefix.rglob("pkgconfig")))})
        assert flags.returncode == 0, flags.stderr
        cls.must("c++", "-std=c++20", "-shared", "-fPIC", "-o", cls.at / f"lib{name}.so", cls.at / f"{name}.cc",
                 *flags.stdout.split())
        return str(cls.at / f"lib{name}.so")

    def test_installs_no_more_than_it_needs(self):
        headers = [path.relative_to(self.prefix / "include/quell") for path in (self.prefix / "include").rglob("*.h")]
        self.assertEqual({path.parts[0] for path in headers}, {"base", "cc"})
        self.assertFalse([path for path in headers if "for_test" in path.name or "specimens" in path.parts])

    def test_drives_another_transport(self):
        for controller in ("cubic", "reno"):
            result = run(str(self.transport), controller)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertIn(f"{controller} used", result.stdout)

    def test_runs_in_the_laboratory_without_a_rebuild(self):
        result = run(QUELL, "lab", "run", "collapse-recovery", "--cc", f"{self.controller},reno", "--seeds", "2")
        self.assertIn("delay-aimd", result.stdout, result.stderr)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_is_named_by_its_file_where_a_run_is_to_be_repeated(self):
        # Ten megabytes within a second of which the loss takes two: no controller can.
        result = run(QUELL, "lab", "show", "collapse-recovery")
        hard = self.at / "hard.toml"
        hard.write_text(result.stdout.replace('at_most = "10 s"', 'at_most = "1 s"'))
        result = run(QUELL, "lab", "run", str(hard), "--cc", str(self.controller), "--seeds", "1")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"--cc {self.controller} --seed 1", result.stdout)

    def refused(self, library):
        result = run(QUELL, "lab", "run", "collapse-recovery", "--cc", library, "--seeds", "1")
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        return result.stderr

    def test_of_another_version_is_refused(self):
        self.assertIn("version 0 of the controller interface", self.refused(self.library("old", WRONG_VERSION)))

    def test_with_a_built_in_name_is_refused(self):
        self.assertIn('"reno", and there is such a controller already', self.refused(self.library("taken", TAKEN_NAME)))

    def test_without_a_factory_is_told_what_to_write(self):
        self.assertIn("QUELL_CONTROLLER_PLUGIN", self.refused(self.library("empty", "int nothing;")))

    def test_that_is_not_there_is_named(self):
        self.assertIn("cannot load ./nowhere.so", self.refused("./nowhere.so"))


if __name__ == "__main__":
    unittest.main()
