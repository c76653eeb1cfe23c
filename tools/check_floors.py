#!/usr/bin/env python3
"""Does every file of the house stand on its floor? Prints each breach as file:line and exits 1 if there is one.

- A file includes only its own floor and those that CMakeLists.txt's quell_floor(… DEPENDS …) names for it.
- A floor names only floors that stand above it in that list, so that no two can need each other.
- No .cc or .h file has more than 600 lines.
- The public surface, taken together, has no more than 600 lines.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
MAX_LINES = 600
PUBLIC_SURFACE = [f"quell/connection/{name}.h"
                  for name in ("endpoint", "config", "event", "slice", "stats", "application")]
FLOOR = re.compile(r"^quell_floor\((.*?)\)", re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]quell/([^/">]+)/[^">]*[">]')
KEYWORDS = ("DEPENDS", "LIBS")


def floors_of(cmake: str) -> dict[str, tuple[int, list[str]]]:
    """Floor -> (line in CMakeLists.txt, the floors it depends on), in the order of the house."""
    floors = {}
    for call in FLOOR.finditer(cmake):
        words = re.sub(r"#.*", "", call.group(1)).split()
        depends, keyword = [], ""
        for word in words[1:]:
            if word in KEYWORDS:
                keyword = word
            elif keyword == "DEPENDS":
                depends.append(word)
        floors[words[0]] = (cmake.count("\n", 0, call.start()) + 1, depends)
    return floors


def check_order(floors: dict) -> list[str]:
    breaches, below = [], []
    for floor, (line, depends) in floors.items():
        for other in depends:
            if other not in below:
                breaches.append(f"CMakeLists.txt:{line}: floor {floor} depends on {other}, which does not stand below it")
        below.append(floor)
    return breaches


def check_file(path: pathlib.Path, floor: str, floors: dict) -> list[str]:
    name = path.relative_to(ROOT)
    lines = path.read_text(encoding="utf-8").splitlines()
    breaches = []
    if floor not in floors:
        breaches.append(f"{name}:1: quell/{floor} is not a floor of CMakeLists.txt")
    allowed = {floor, *floors.get(floor, (0, []))[1]}
    for number, text in enumerate(lines, 1):
        include = INCLUDE.match(text)
        if include and include.group(1) not in allowed:
            breaches.append(f"{name}:{number}: {floor} must not include {include.group(1)}")
    return breaches


def check_length(path: pathlib.Path) -> list[str]:
    count = len(path.read_text(encoding="utf-8").splitlines())
    return [f"{path.relative_to(ROOT)}:{count}: {count} lines; split it by {MAX_LINES}"] if count > MAX_LINES else []


def sources_under(folder: str) -> list[pathlib.Path]:
    return sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in (".cc", ".h"))


def check_public_surface() -> list[str]:
    sizes = {name: len((ROOT / name).read_text(encoding="utf-8").splitlines())
             for name in PUBLIC_SURFACE if (ROOT / name).exists()}
    total = sum(sizes.values())
    if total <= MAX_LINES:
        return []
    longest = max(sizes, key=sizes.get)
    return [f"{longest}:{sizes[longest]}: the public surface has {total} lines; {MAX_LINES} are its limit"]


def main() -> int:
    floors = floors_of((ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    files = sources_under("quell")
    if not floors or not files:
        print(f"{ROOT}: no floors or no files found")
        return 1
    breaches = check_order(floors)
    for path in files:
        breaches += check_file(path, path.relative_to(ROOT / "quell").parts[0], floors)
    for path in files + sources_under("test") + sources_under("bench"):
        breaches += check_length(path)
    breaches += check_public_surface()
    for breach in breaches:
        print(breach)
    print(f"{len(files)} files on {len(floors)} floors: {len(breaches)} breaches")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
