"""The version is written once, in CMakeLists.txt; what must repeat it agrees."""

import pathlib
import re

import fiducial

ROOT = pathlib.Path(__file__).resolve().parents[2]


def version_in(file, pattern):
    found = re.search(pattern, (ROOT / file).read_text(), re.MULTILINE)
    assert found, f"{file}: no version"
    return found.group(1)


def test_is_the_same_everywhere():
    written = version_in("CMakeLists.txt", r"^project\(fiducial VERSION ([0-9.]+)")
    assert fiducial.__version__ == written
    assert version_in("CITATION.cff", r"^version: (\S+)$") == written
    assert version_in("CHANGELOG.md", r"^## (\S+)") == written


def test_the_package_takes_it_from_the_build_file():
    where = version_in("pyproject.toml", r"^regex = '([^']+)'").replace("?P<value>", "")
    assert version_in("CMakeLists.txt", where) == fiducial.__version__
