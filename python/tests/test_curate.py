"""What reports say, asked from Python."""

import pytest

import fiducial


def test_every_text_has_the_eighteen_labels():
    found = fiducial.curate.labels(["Emphysema is seen in both lungs.", "No nodule was detected.", None])
    assert [sum(row.values()) for row in found] == [1, 0, 0]
    assert found[0]["Emphysema"] == 1
    assert len(found[0]) == 18 and next(iter(found[0])) == "Medical material"


def test_arrow_columns_are_read_as_lists():
    pyarrow = pytest.importorskip("pyarrow")
    texts = ["Hiatal hernia.", None, "Mosaic attenuation pattern in both lungs."]
    column = pyarrow.chunked_array([texts[:1], texts[1:]])
    assert fiducial.curate.labels(column) == fiducial.curate.labels(texts)
    assert fiducial.curate.labels([]) == []


def test_columns_of_pandas_have_missing_values():
    pandas = pytest.importorskip("pandas")
    texts = ["Hiatal hernia.", None, "Mosaic attenuation pattern in both lungs."]
    for column in (pandas.Series(texts), pandas.Series(texts, dtype="string"), pandas.Series(texts, dtype="category"),
                   pandas.Series(["Hiatal hernia.", float("nan"), texts[2]], dtype=object)):
        assert fiducial.curate.labels(column) == fiducial.curate.labels(texts)
    with pytest.raises(TypeError, match="choose the column"):
        fiducial.curate.labels(pandas.DataFrame({"Findings_EN": texts}))


def test_what_is_no_text_is_named_by_its_place():
    with pytest.raises(TypeError, match=r"texts\[1\]: expected a text, found int"):
        fiducial.curate.labels(["Emphysema", 7])


def test_one_text_alone_is_refused():
    with pytest.raises(TypeError, match="several texts"):
        fiducial.curate.labels("Emphysema")


def test_evidence_points_at_characters_not_bytes():
    text = "\u2022 Köpf. Emphysema is seen."
    [why] = fiducial.curate.evidence(text)
    assert (why["label"], why["text"], why["rule"]) == ("Emphysema", "Emphysema", "when emphysema")
    assert text[why["begin"]:why["end"]] == "Emphysema"


def test_sentences_join_to_the_text_and_have_regions():
    text = "Heart size is normal. A node of 9.5 mm in the mediastinum; Trachea is open."
    assert "".join(fiducial.curate.sentences(text)) == text
    assert [row["regions"] for row in fiducial.curate.regions(text)] == [["heart"], ["mediastinum"], ["trachea and bronchie"]]
