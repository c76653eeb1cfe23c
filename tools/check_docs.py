#!/usr/bin/env python3
"""Do the documents still speak of this tree? Every link and every path in them leads somewhere, every measure is described."""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parents[1]
LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)(?:#[^)]*)?\)")
PATH = re.compile(r"`((?:quell|test|tools|bench|lab|docs|cmake)/[A-Za-z0-9_./-]+)`")
MEASURE = re.compile(r'\{"([a-z_0-9]+)", &Measures::')


def problems_of(document):
    text = document.read_text()
    for link in LINK.findall(text):
        if "://" not in link and not (document.parent / link).exists():
            yield f"the link {link} leads nowhere"
    for path in PATH.findall(text):
        # A unit's name without its ending stands for x.h and x.cc.
        if not (HERE / path).exists() and not list((HERE / path).parent.glob(f"{pathlib.Path(path).name}.*")):
            yield f"there is no {path}"


def main():
    found = []
    documents = [HERE / "README.md", *sorted((HERE / "docs").rglob("*.md"))]
    for document in documents:
        found += [f"{document.relative_to(HERE)}: {problem}" for problem in problems_of(document)]
    described = (HERE / "docs/LAB.md").read_text()
    for measure in MEASURE.findall((HERE / "quell/lab/measures.cc").read_text()):
        if f"`{measure}`" not in described:
            found.append(f"docs/LAB.md: does not say what the measure {measure} is")
    print("\n".join(found) or f"{len(documents)} documents: every link and path leads somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
