#!/usr/bin/env python3
"""How many tests passed, over several JUnit files that ctest wrote? One plain line; exit 1 when one failed."""
import sys
import xml.etree.ElementTree as xml


def main(paths):
    passed = failed = skipped = 0
    for path in paths:
        for case in xml.parse(path).getroot().iter("testcase"):
            status = case.get("status")
            if status == "run":
                passed += 1
            elif status in ("notrun", "disabled"):
                skipped += 1
            else:
                failed += 1
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
