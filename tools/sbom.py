#!/usr/bin/env python3
"""Writes what a wheel or tarball carries of others as a CycloneDX 1.5 document beside it.

usage: sbom.py PACKAGE VERSION      (writes PACKAGE.cdx.json)

PACKAGE is a .whl or .tar.gz that was made on this machine, with the Python that runs this. Every shared library in it must
belong to a component of cmake/components.json, which also names what is compiled into our own files. Versions are those of
the Debian, Python or npm package that a component comes from.
"""

import hashlib
import importlib.metadata
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import urllib.parse
import uuid
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPONENTS = json.loads((ROOT / "cmake" / "components.json").read_text())
LIBRARY = re.compile(r"(?:lib|fid)([^/]+?)\.so(?:\.[0-9.]+)?$")


def files(package):
    """(path, bytes) of every file in the package."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as archive:
            yield from ((name, archive.read(name)) for name in sorted(archive.namelist()) if not name.endswith("/"))
        return
    with tarfile.open(package) as archive:
        for member in sorted(archive.getmembers(), key=lambda each: each.name):
            if member.isfile():
                yield member.name, archive.extractfile(member).read()


def carried_libraries(package):
    """{stem: [(path, SHA-256)]} of the shared libraries in the package, those of Python apart."""
    out = {}
    for path, content in files(package):
        name = LIBRARY.search(path.rsplit("/", 1)[-1])
        if name and content[:4] == b"\x7fELF":
            out.setdefault(name.group(1), []).append((path, hashlib.sha256(content).hexdigest()))
    return out


def debian_version(package):
    """(version, purl) of an installed Debian package."""
    wanted = "${source:Package} ${Version} ${Architecture}"
    found = subprocess.run(["dpkg-query", "-W", "-f", wanted, package], capture_output=True, text=True)
    if found.returncode != 0:
        sys.exit(f"{package}: not an installed Debian package, though a shipped component comes from it")
    source, version, architecture = found.stdout.split()
    quoted = urllib.parse.quote(version, safe="")
    return version, f"pkg:deb/debian/{package}@{quoted}?arch={architecture}&upstream={urllib.parse.quote(source)}"


def origin(component):
    """{version, purl} as far as they are known."""
    if "debian" in component:
        version, purl = debian_version(component["debian"])
        return {"version": version, "purl": purl}
    if "python" in component:
        version = importlib.metadata.version(component["python"])
        return {"version": version, "purl": f"pkg:pypi/{component['python']}@{version}"}
    if "npm" in component:
        version = json.loads((ROOT / "web/package-lock.json").read_text())["packages"][f"node_modules/{component['npm']}"]["version"]
        return {"version": version, "purl": f"pkg:npm/{urllib.parse.quote(component['npm'], safe='/')}@{version}"}
    return {}


def licences(expression):
    return [{"expression": expression}] if " " in expression else [{"license": {"id": expression}}]


def entry(component, libraries):
    """A component with the files that are its."""
    carried = [place for stem in component.get("libraries", []) for place in libraries.get(stem, [])]
    out = {"type": "library", "bom-ref": component["name"], "name": component["name"], **origin(component),
           "licenses": licences(component["licence"])}
    if carried:
        out["components"] = [{"type": "file", "name": path, "hashes": [{"alg": "SHA-256", "content": digest}]}
                             for path, digest in carried]
    return out


def document(package, version):
    kind = "wheel" if package.suffix == ".whl" else "tarball"
    libraries = carried_libraries(package)
    known = {stem for component in COMPONENTS for stem in component.get("libraries", [])}
    if libraries.keys() - known:
        sys.exit(f"{package}: carries {sorted(libraries.keys() - known)}, which cmake/components.json does not know")
    here = [component for component in COMPONENTS
            if kind in component.get("inside", []) or libraries.keys() & set(component.get("libraries", []))]
    digest = hashlib.sha256(package.read_bytes()).hexdigest()
    ours = {"type": "application", "bom-ref": "fiducial", "name": "fiducial", "version": version,
            "licenses": licences("Apache-2.0"), "hashes": [{"alg": "SHA-256", "content": digest}]}
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}",
            "metadata": {"component": ours}, "components": [entry(component, libraries) for component in here],
            "dependencies": [{"ref": "fiducial", "dependsOn": [component["name"] for component in here]}]}


def main():
    package = pathlib.Path(sys.argv[1])
    out = package.with_name(package.name + ".cdx.json")
    out.write_text(json.dumps(document(package, sys.argv[2]), indent=2) + "\n")
    print(out)


if __name__ == "__main__":
    main()
