"""Benchmark cards from Python."""

import pytest

import fiducial

CARD = {"benchmark_details": {"name": "B", "domains": ["x"]}, "targeted_risks": {"harm": ["a", "it's"]}}


def test_a_card_renders_and_reads_back():
    text = fiducial.cards.render(CARD)
    assert text.startswith("# B\n") and "**Potential Harm**: ['a', \"it's\"]" in text
    card = fiducial.cards.parse(text)
    assert card["targeted_risks"]["harm"] == ["a", "it's"]
    assert fiducial.cards.render(card) == text


def test_what_is_no_card_is_raised():
    with pytest.raises(fiducial.errors.InvalidData, match="line"):
        fiducial.cards.parse("# B\n\nwords\n")


def test_a_card_is_made_from_the_data(corpus):
    card = fiducial.cards.make(corpus / "data")
    assert card["benchmark_details"]["name"] == "ReXGroundingCT"
    assert card["provenance"]["data"]["size"] == "computed from dataset.json"
