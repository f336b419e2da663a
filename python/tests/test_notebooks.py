"""What notebooks and terminals are shown."""

import io
import re
import sys
import types
import xml.etree.ElementTree

import fiducial
from fiducial import progress


def svg_of(page):
    start = page.index("<svg")
    return xml.etree.ElementTree.fromstring(page[start:page.index("</svg>") + len("</svg>")])


def test_a_case_shows_a_slice_with_every_finding(dataset):
    page = dataset[0]._repr_html_()
    svg = svg_of(page)
    image = svg.find(".//{*}image")
    assert image.get("href").startswith("data:image/png;base64,")
    assert len(svg.findall(".//{*}path")) >= 1
    assert all(finding.text in page for finding in dataset[0].findings)


def test_a_case_without_a_volume_shows_its_masks(corpus):
    svg = svg_of(fiducial.open(corpus / "data")[0]._repr_html_())
    assert svg.find(".//{*}image") is None and svg.findall(".//{*}path")


def test_a_case_that_cannot_be_read_says_so(own_corpus):
    case = fiducial.open(own_corpus / "data")[0]
    (own_corpus / "data" / "segmentations" / case.file_name).write_bytes(b"nothing")
    assert "nothing" not in case._repr_html_() and case.mask_path in case._repr_html_()


def test_text_of_the_dataset_is_escaped(own_corpus):
    path = own_corpus / "data" / "dataset.json"
    path.write_text(path.read_text().replace("A nodule", "<script>alert(1)</script> A nodule"))
    assert "<script>" not in fiducial.open(own_corpus / "data")[0]._repr_html_()


def test_a_card_shows_values_and_the_weakest_finding(corpus, dataset):
    page = fiducial.score(dataset, corpus / "predictions")._repr_html_()
    assert "dice_per_case" in page and "weakest finding" in page
    assert "official (unconfirmed)" in page and re.search(r"n \d+ cases", page) and re.search(r"n \d+ findings", page)
    assert len(svg_of(page).findall(".//{*}path")) == 2
    arrays = fiducial.score(dataset, ((case, [mask.dense() for mask in case.masks]) for case in dataset))
    assert "weakest finding" in arrays._repr_html_() and len(svg_of(arrays._repr_html_()).findall(".//{*}path")) == 2


def test_a_terminal_bar_is_drawn_and_wiped():
    stream = io.StringIO()
    bar = progress.TerminalBar(stream)
    bar("scoring", 1, 2)
    bar.close()
    assert "scoring [###############...............] 1/2" in stream.getvalue()
    assert stream.getvalue().endswith("\r\033[K")


def test_a_notebook_bar_is_updated_in_place(monkeypatch):
    shown = []

    class Handle:
        def update(self, what):
            shown.append(what)

    class ZMQInteractiveShell:
        pass

    display = types.ModuleType("IPython.display")
    display.HTML = str
    display.display = lambda *things, **options: Handle()
    ipython = types.ModuleType("IPython")
    ipython.get_ipython = ZMQInteractiveShell
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    with progress.shown(None) as told:
        told("scoring", 3, 4)
    assert "value='3' max='4'" in shown[0] and shown[-1] == ""


def test_nothing_is_shown_where_nobody_looks(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress.shown(None) as told:
        assert told is None
    with progress.shown(False) as told:
        assert told is None
