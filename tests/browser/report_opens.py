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


# Added to a page: its title then says whether every drawing has a size and fits, and whether the page does.
PROBE = ("<script>const r = [...document.querySelectorAll('svg')]"
         ".filter(e => !e.closest('details')).map(e => e.getBoundingClientRect());"
         "document.title = r.every(b => b.width > 8 && b.height > 8 && b.left >= 0 && "
         "b.right <= innerWidth) + ' ' + (document.documentElement.scrollWidth <= innerWidth);"
         "</script></body>")


def expect_to_fit(chromium, folder, page):
    probe = folder / "probe.html"
    probe.write_text(page.read_text().replace("default-src 'none';", "default-src 'none'; script-src 'unsafe-inline';")
                     .replace("</body>", PROBE))
    title = re.search(r"<title>(.*?)</title>", opened(chromium, folder, probe, "--dump-dom", "--window-size=1280,800"))
    assert title.group(1) == "true true", f"drawings have size and fit 1280 pixels: {title.group(1)}"


def open_findings(chromium, folder):
    page = folder / "out" / "report.html"
    document = opened(chromium, folder, page, "--dump-dom")
    pictures = len(re.findall(r"<figure>", document))
    assert document.count("</article>") >= 9, "nine findings are shown"
    assert pictures == 5 * document.count("</article>"), f"five drawings a finding, found {pictures}"
    expect_to_fit(chromium, folder, page)


def open_answers(chromium, folder):
    page = folder / "answers" / "report.html"
    document = opened(chromium, folder, page, "--dump-dom")
    assert "Cases that were lost" in document and document.count("</article>") > 0, "lost cases are shown"
    assert document.count("<svg") > 10, "accuracies are drawn"
    expect_to_fit(chromium, folder, page)


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
                      ["score", "demo/medthinkvqa", "demo/systems/medthinkvqa/guessing/predictions.jsonl", "-o", "answers"]):
            subprocess.run([fiducial, *words], cwd=folder, check=True, capture_output=True)
        open_findings(chromium, folder)
        open_answers(chromium, folder)
    print("the reports open")
    return 0


if __name__ == "__main__":
    sys.exit(main())
