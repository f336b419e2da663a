#!/usr/bin/env python3
"""Opens reports in headless Chromium: they must lay out, show their pictures and ask for nothing.

usage: report_opens.py FIDUCIAL
Skips (status 77) where no chromium is installed.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"]


def opened(chromium, folder, page, *arguments):
    done = subprocess.run([chromium, *FLAGS, f"--user-data-dir={folder}/profile", *arguments, page.as_uri()],
                          capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


# Added to a page that stands in a frame: its title then says whether every drawing outside of tables has a size and
# fits, and whether the page does; on a desktop no table may have to be moved either. A frame is as narrow as it is told, which a window is not.
PROBE = ("<script>const r = [...document.querySelectorAll('svg, img')]"
         ".filter(e => !e.closest('.folded, .scroll, .at, .slices') && !e.matches('.at')).map(e => e.getBoundingClientRect());"
         "parent.document.title = r.every(b => b.width > 8 && b.height > 8 && b.left >= 0 && "
         "b.right <= innerWidth + 1) + ' ' + (document.documentElement.scrollWidth <= innerWidth && (innerWidth < 600 ||"
         " [...document.querySelectorAll('.scroll')].every(e => e.scrollWidth <= e.clientWidth + 1)));"
         "</script></body>")


def expect_to_fit(chromium, folder, page):
    for width in (1280, 390):
        (folder / "probe.html").write_text(
            page.read_text().replace("default-src 'none';", "default-src 'none'; script-src 'unsafe-inline';")
            .replace("</body>", PROBE))
        frame = folder / "frame.html"
        frame.write_text(f"<!doctype html><title>x</title><iframe src=probe.html width={width} height=900></iframe>")
        document = opened(chromium, folder, frame, "--dump-dom", "--window-size=1400,1000", "--allow-file-access-from-files")
        title = re.search(r"<title>(.*?)</title>", document)
        assert title.group(1) == "true true", f"{page}: drawings have size and fit {width} pixels: {title.group(1)}"


def open_findings(chromium, folder):
    page = folder / "out" / "report.html"
    document = opened(chromium, folder, page, "--dump-dom")
    pictures = len(re.findall(r"<figure>", document))
    assert document.count("</article>") >= 9, "nine findings are shown"
    assert pictures == 5 * document.count("</article>"), f"five drawings a finding, found {pictures}"
    strips = document.split('class="panels slices"')[1:]
    assert len(strips) == document.count("</article>"), f"a strip a finding, found {len(strips)}"
    assert all(3 <= strip.split("</div>")[0].count("<image") <= 7 for strip in strips), "slices of the CT in each strip"
    expect_to_fit(chromium, folder, page)


def open_answers(chromium, folder):
    page = folder / "answers" / "report.html"
    document = opened(chromium, folder, page, "--dump-dom")
    assert "Cases answered wrongly" in document and document.count("</article>") > 0, "lost cases are shown"
    assert document.count("<svg") > 10, "accuracies are drawn"
    assert document.count("<img") > 0, "lost cases have their images"
    expect_to_fit(chromium, folder, page)


def open_others(chromium, folder):
    for name in ("tables", "organs", "reports", "comparison"):
        page = folder / (name + ".html" if name == "comparison" else name + "/report.html")
        assert "</section>" in opened(chromium, folder, page, "--dump-dom"), f"{name}: sections are shown"
        expect_to_fit(chromium, folder, page)


def predict_organs(folder):
    """Organ masks of the demo as a reference, and those of two volumes as a prediction."""
    organs = folder / "demo/rexgroundingct/organs"
    shutil.copytree(organs, folder / "demo/curated/radgenome/train_anatomy_mask")
    (folder / "predicted/masks").mkdir(parents=True)
    for mask in [organs / "labels.json", *sorted(organs.glob("*.nii.gz"))[:2]]:
        shutil.copy(mask, folder / "predicted/masks")


def main():
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print("skipped: no chromium on the PATH")
        return 77
    fiducial = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for words in (["demo", "demo"],
                      ["score", "demo/rexgroundingct", "demo/systems/rexgroundingct/weak", "-o", "out",
                       "--volumes", "demo/rexgroundingct/volumes"],
                      ["score", "demo/medthinkvqa", "demo/systems/medthinkvqa/guessing/predictions.jsonl", "-o", "answers"],
                      ["score", "demo/curated/radgenome", "demo/systems/radgenome/careful", "-o", "tables"],
                      ["score", "demo/rexgroundingct", "demo/systems/grounded-report/misplaced", "--task", "grounded_reports",
                       "-o", "reports"],
                      ["score", "demo/rexgroundingct", "demo/systems/rexgroundingct/good", "-o", "good", "--volumes",
                       "demo/rexgroundingct/volumes"],
                      ["compare", "out", "good", "--report", "comparison.html"],
                      ["score", "demo/curated/radgenome", "predicted", "--task", "organ_masks", "--volumes",
                       "demo/rexgroundingct/volumes", "-o", "organs", "--max-failures", "100%"]):
            if "organ_masks" in words:
                predict_organs(folder)
            subprocess.run([fiducial, *words], cwd=folder, check=True, capture_output=True)
        open_findings(chromium, folder)
        open_answers(chromium, folder)
        open_others(chromium, folder)
    print("the reports open")
    return 0


if __name__ == "__main__":
    sys.exit(main())
