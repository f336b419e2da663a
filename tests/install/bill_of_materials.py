"""The bill of materials beside a wheel or tarball, held against what lies in it."""

import hashlib
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
VALIDATE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
found = JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1], encoding="utf-8").read())
sys.exit(0 if found is None else str(found))
"""


def check_notice():
    """NOTICE names everything that may be carried."""
    notice = (ROOT / "NOTICE").read_text()
    for component in json.loads((ROOT / "cmake" / "components.json").read_text()):
        if component["name"] not in notice:
            sys.exit(f"NOTICE does not name {component['name']}")


def listed_hashes(bill):
    """{file name: SHA-256} of every file that a component brings."""
    files = [file for component in bill["components"] for file in component.get("components", [])]
    return {file["name"].rsplit("/", 1)[-1]: file["hashes"][0]["content"] for file in files}


def check_bill(package, folder):
    """package: the wheel or tarball; folder: where its NOTICE and its licences are, unpacked."""
    path = package.with_name(package.name + ".cdx.json")
    subprocess.run([ROOT / ".venv-wheel" / "bin" / "python", "-c", VALIDATE, path], check=True)
    bill = json.loads(path.read_text())
    if bill["metadata"]["component"]["hashes"][0]["content"] != hashlib.sha256(package.read_bytes()).hexdigest():
        sys.exit(f"{path}: is not of this package")
    notice = (folder / "NOTICE").read_text()
    licences = [file.name for file in (folder / "licences").iterdir()]
    for name in (component["name"] for component in bill["components"]):
        if name not in notice:
            sys.exit(f"NOTICE does not name {name}, which {package.name} carries")
        if not any(licence.startswith(name.replace(" ", "-") + "-") for licence in licences):
            sys.exit(f"{package.name} carries {name} without its licence")
    if len(licences) < len(bill["components"]) or not listed_hashes(bill):
        sys.exit(f"{path}: expected files and licences, found {len(licences)} licences")
    check_libraries(path, folder, listed_hashes(bill))


def check_libraries(path, folder, hashes):
    """Every library of the unpacked package is listed as it is."""
    tree = next(parent for parent in (folder, *folder.parents) if (parent / "lib").is_dir())
    found = {file.name: hashlib.sha256(file.read_bytes()).hexdigest()
             for file in (tree / "lib").rglob("*") if ".so" in file.name and file.is_file() and not file.is_symlink()}
    if found != hashes:
        sys.exit(f"{path}: lists {sorted(hashes)}, the package holds {sorted(found)}")
