"""Our Arrow and any other Arrow in one process."""

import os
import pathlib
import re
import subprocess
import sys
import textwrap

import pytest

import fiducial

USE = textwrap.dedent("""
    def use_ours():
        import fiducial
        from fiducial import _native
        card = fiducial.score(sys.argv[1], sys.argv[2])
        card.write(sys.argv[3] + "/" + str(len(os.listdir(sys.argv[3]))))
        assert len(fiducial.Scores.read(sys.argv[3] + "/0").rows()) == len(card.rows()) > 0
        return card.rows(), _native.arrow_version()

    def use_theirs(rows=None):
        import pyarrow, pyarrow.parquet
        table = pyarrow.table({"a": [1, 2, 3], "b": ["x", None, "z"]})
        pyarrow.parquet.write_table(table, sys.argv[3] + ".parquet")
        assert pyarrow.parquet.read_table(sys.argv[3] + ".parquet").equals(table)
        assert pyarrow.parquet.read_table(sys.argv[3] + "/0/rows.parquet").num_rows > 0 if rows is not None else True
        if rows is not None and hasattr(pyarrow, "table"):
            assert pyarrow.RecordBatchReader.from_stream(rows).read_all().num_rows == len(rows)
        return pyarrow.__version__
""")
ORDERS = {
    "ours_first": "rows, ours = use_ours(); theirs = use_theirs(rows); use_ours()",
    "theirs_first": "use_theirs(); rows, ours = use_ours(); theirs = use_theirs(rows)",
}


def run(code, corpus, out):
    out.mkdir()
    script = "import os, sys\n" + USE + code
    return subprocess.run([sys.executable, "-c", script, corpus / "data", corpus / "predictions", out],
                          capture_output=True, text=True)


@pytest.mark.parametrize("order", ORDERS)
def test_works_beside_pyarrow_in_either_order(corpus, tmp_path, order):
    done = run(ORDERS[order], corpus, tmp_path / "out")
    assert done.returncode == 0, done.stderr


def test_needs_no_pyarrow(corpus, tmp_path):
    code = "sys.modules['pyarrow'] = None\nrows, ours = use_ours(); print(len(rows.column('case')))"
    done = run(code, corpus, tmp_path / "out")
    assert done.returncode == 0, done.stderr


def test_is_not_captured_by_a_pyarrow_that_is_loaded_for_all(corpus, tmp_path):
    code = "sys.setdlopenflags(os.RTLD_GLOBAL | os.RTLD_NOW); use_theirs(); sys.setdlopenflags(os.RTLD_NOW)\n" + \
        "rows, ours = use_ours(); use_theirs(rows)"
    done = run(code, corpus, tmp_path / "out")
    assert done.returncode == 0, done.stderr


def test_loads_arrow_under_a_name_of_our_own(corpus):
    code = "import fiducial, fiducial._native as n; n.arrow_version(); print(open('/proc/self/maps').read())"
    maps = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = {pathlib.Path(line.split()[-1]).name for line in maps.splitlines() if "/" in line}
    assert any(name.startswith("fidarrow.so") for name in loaded)
    assert not any(name.startswith(("libarrow", "libparquet", "libtbb")) for name in loaded)


def test_takes_other_libraries_all_from_the_system_or_all_under_names_of_our_own():
    package = pathlib.Path(fiducial.__file__).parent
    listed = subprocess.run(["readelf", "-dW", next(package.glob("_native*.so"))], capture_output=True, text=True, check=True)
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", listed.stdout)
    others = {name for name in needed if re.match(r"(lib|fid)(isal|z|png16|jpeg|expat)\.so", name)}
    assert len(others) == 5, needed
    private = {name for name in others if name.startswith("fid")}
    assert private in (set(), others)
    assert all((package / "lib" / name).is_file() for name in private)


def test_exports_nothing_but_its_entry(tmp_path):
    extension = next(pathlib.Path(fiducial.__file__).parent.glob("_native*.so"))
    listed = subprocess.run(["nm", "-D", "--defined-only", extension], capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1] for line in listed.splitlines()}
    assert "PyInit__native" in names
    assert not any("fiducial" in name or "arrow" in name for name in names - {"PyInit__native"}), sorted(names)[:20]


def test_imports_quickly_without_heavy_modules():
    code = textwrap.dedent("""
        import sys, time
        start = time.process_time()
        import fiducial
        took = time.process_time() - start
        heavy = {"numpy", "torch", "pyarrow", "pandas", "urllib.request", "socket"} & set(sys.modules)
        assert not heavy, heavy
        print(took)
    """)
    times = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
             for _ in range(3)]
    assert min(times) < 0.15


def test_the_command_lies_in_the_package():
    program = os.path.join(os.path.dirname(fiducial.__file__), "bin", "fiducial")
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"fiducial {fiducial.__version__}"
