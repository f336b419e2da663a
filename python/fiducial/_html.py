"""What notebooks show of cases and scores."""

from __future__ import annotations

import html
import typing

from fiducial import _native
from fiducial.errors import Error

if typing.TYPE_CHECKING:
    from fiducial.datasets import Case
    from fiducial.masks import Mask
    from fiducial.scoring import Scores

_COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#d55e00", "#cc79a7", "#0072b2", "#bbbbbb")
_PICTURE_WIDTH = 420


def case_page(case: Case) -> str:
    """One slice of the CT with the outline of every finding, and the findings' sentences."""
    lines = [f"<b>{html.escape(case.name)}</b> ({html.escape(case.split)}), patient {html.escape(case.patient)}"]
    items = []
    try:
        findings = case.findings
        lines.append(_picture(case.masks, case.volume_path, findings[0].category if findings else ""))
        for finding, mask in zip(findings, case.masks):
            colour = _COLOURS[finding.index % len(_COLOURS)]
            items.append(f"<li value='{finding.index}'><span style='color:{colour}'>&#9632;</span> "
                         f"{html.escape(finding.text)} <small>{html.escape(finding.category)} "
                         f"{mask.voxels:,} voxels</small></li>")
    except Error as reason:
        lines.append(f"<em>{html.escape(str(reason))}</em>")
    return "<div>" + "<br>".join(lines) + f"<ol>{''.join(items)}</ol></div>"


def scores_page(scores: Scores) -> str:
    """The headline values of both scorers, and the weakest finding with what was predicted."""
    summary = scores.summary
    parts = {"strict": summary.get("metrics") or {}, "official": summary.get("official") or {}}
    if summary.get("mode") == "official":
        parts = {"official": parts["strict"]}
    slots = list(dict.fromkeys(slot for values in parts.values() for slot in values))
    shown = [name for name, values in parts.items() if values]
    note = summary.get("provenance", {}).get("official", "")
    titles = {"official": f"official ({note})" if note and not note.startswith("confirmed") else "official"}
    head = "".join(f"<th>{html.escape(titles.get(name, name))}</th>" for name in shown)
    rows = "".join(f"<tr><td>{html.escape(slot)}</td>" + "".join(f"<td>{_value(parts[name].get(slot))}</td>" for name in shown)
                   + "</tr>" for slot in slots)
    counts = summary.get("counts", {})
    told = ", ".join(f"{counts[key]} {key}" for key in ("cases", "findings", "missing", "failed") if key in counts)
    title = f"<b>{html.escape(str(summary.get('system', 'scores')))}</b>: {html.escape(told)}"
    return f"<div>{title}<table><tr><th></th>{head}</tr>{rows}</table>{_weakest(scores)}</div>"


def _value(slot: dict[str, typing.Any] | None) -> str:
    if slot is None:
        return ""
    if slot.get("value") is None:
        return "<em>undefined</em>"
    interval = slot.get("ci95")
    low_high = f" <small>[{interval[0]:.3f}, {interval[1]:.3f}]</small>" if interval else ""
    unit = html.escape(f" {slot['unit']}") if "unit" in slot else ""
    counted = html.escape(f"n {slot.get('n', 0)} {slot.get('counted', '')}")
    return f"{slot['value']:.4f}{unit}{low_high} <small>{counted}</small>"


def _weakest(scores: Scores) -> str:
    """The scored finding with the lowest Dice, where its files can still be read."""
    from fiducial.masks import Mask

    found = scores._weakest_finding()
    if found is None:
        return ""
    case, index, dice, prediction = found
    try:
        masks = [case.masks[index], Mask._of(prediction())]
        picture = _picture(masks, case.volume_path, case.findings[index].category)
    except (Error, IndexError):
        return ""
    legend = " ".join(f"<span style='color:{colour}'>&#9632;</span> {name}"
                      for colour, name in zip(_COLOURS, ("reference", "prediction")))
    text = html.escape(case.findings[index].text)
    return f"<p>weakest finding: {html.escape(case.name)} {index}, Dice {dice:.4f}: {text}<br>{picture}<br>{legend}</p>"


def _picture(masks: list[Mask], volume: str | None, category: str) -> str:
    if not masks:
        return ""
    drawn = _native.slice_picture([mask._native for mask in masks], volume, category)
    height = drawn.height * drawn.pixel_aspect
    image = ""
    if drawn.image:
        image = (f"<image width='{drawn.width}' height='{drawn.height}' href='{drawn.image}' "
                 "preserveAspectRatio='none'/>")
    paths = "".join(f"<path d='{path}' fill='none' stroke='{_COLOURS[i % len(_COLOURS)]}' stroke-width='1.5' "
                    "vector-effect='non-scaling-stroke'/>" for i, path in enumerate(drawn.outlines) if path)
    return (f"<svg xmlns='http://www.w3.org/2000/svg' width='{_PICTURE_WIDTH}' "
            f"height='{_PICTURE_WIDTH * height / drawn.width:.0f}' viewBox='0 0 {drawn.width} {height:g}' "
            f"style='background:#000'><title>slice {drawn.slice} of {drawn.slices}</title>"
            f"<g transform='scale(1 {drawn.pixel_aspect:g})'>{image}{paths}</g></svg>")
