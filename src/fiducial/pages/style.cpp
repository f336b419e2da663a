#include "fiducial/pages/style.h"

namespace fiducial {

// Orange, sky blue and bluish green are of Okabe and Ito's palette, which colour-blind readers can tell
// apart.
constexpr std::string_view report_style = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1b2430; --soft: #5d6878; --line: #e2e6ec; --track: #d5dbe4;
  --strict: #2257a8; --official: #8a5a00; --dots: #6b8fc7;
  --good: #0b7a5b; --warn: #a65300; --good-wash: #e7f4ef; --warn-wash: #fdf1e2;
  --truth: #e69f00; --guess: #56b4e9; --both: #1fc79a;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #0f131a; --card: #171c25; --ink: #e6eaf1; --soft: #9aa6b8; --line: #28303d; --track: #38424f;
    --strict: #7db0f5; --official: #e0b35c; --dots: #5d82b8;
    --good: #4fd0a6; --warn: #f2b066; --good-wash: #12281f; --warn-wash: #30220f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 36px 28px 64px; }
h1 { font-size: 34px; line-height: 1.15; margin: 2px 0 6px; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { font-size: 21px; margin: 0 0 4px; }
h3 { font-size: 16px; margin: 26px 0 8px; }
p { margin: 0 0 10px; }
section { margin-top: 40px; }
.over { text-transform: uppercase; letter-spacing: .09em; font-size: 12px; color: var(--soft); margin: 0; }
.lead { font-size: 18px; line-height: 1.5; max-width: 62em; margin-top: 14px; }
.soft, .note { color: var(--soft); }
.note { font-size: 13px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 18px 20px; }
.verdicts { display: grid; grid-template-columns: repeat(3, 1fr); gap: 14px; margin-top: 22px; }
.verdict { border-radius: 10px; padding: 12px 16px; border-left: 4px solid var(--good); background: var(--good-wash); }
.verdict.warn { border-left-color: var(--warn); background: var(--warn-wash); }
.verdict b { display: block; }
.verdict.good b { color: var(--good); }
.verdict.warn b { color: var(--warn); }
.tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: 14px; }
.tile .name { color: var(--soft); font-size: 14px; margin: 0; }
.tile .big { font-size: 38px; line-height: 1.2; font-weight: 650; margin: 2px 0 0; font-variant-numeric: tabular-nums; }
.tile .big small { font-size: 17px; font-weight: 500; }
.tile .big.none { font-size: 22px; line-height: 46px; color: var(--soft); font-weight: 500; }
.tile p { margin: 0; font-size: 13px; font-variant-numeric: tabular-nums; }
.tile .mark { width: 100%; height: auto; margin: 8px 0 4px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 7px 10px; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; font-size: 13px; color: var(--soft); }
td.num, th.num { text-align: right; white-space: nowrap; }
td:first-child { min-width: 15em; }
td .ci { color: var(--soft); font-size: 13px; margin-left: 6px; }
td code { font-size: 12px; color: var(--soft); }
td .mark { width: 150px; height: 18px; vertical-align: middle; }
tbody tr:last-child td { border-bottom: 0; }
code, pre { font-family: ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
pre { background: var(--page); border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px;
  white-space: pre-wrap; font-size: 13px; margin: 8px 0 16px; }
.key { display: inline-flex; align-items: center; gap: 6px; margin-right: 18px; font-size: 13px; color: var(--soft); }
.key svg { width: 16px; height: 16px; }
.strict { color: var(--strict); } .official { color: var(--official); }
svg { display: block; }
svg .mean { fill: var(--strict); }
svg .other-mean { fill: var(--card); stroke: var(--official); stroke-width: 1.8; }
svg .interval { stroke: var(--strict); stroke-width: 3; fill: none; }
svg .track { stroke: var(--track); stroke-width: 1.5; fill: none; }
.strips { width: 100%; height: auto; margin: 4px 0 8px; }
.strips text { font-size: 13px; fill: var(--ink); }
.strips .group, .strips .value, .strips .count { text-anchor: end; }
.strips .value { font-weight: 600; fill: var(--strict); }
.strips .count { fill: var(--soft); }
.strips .tick { text-anchor: middle; fill: var(--soft); font-size: 12px; }
.strips .tick.end { text-anchor: end; }
.strips .grid, .strips .row { stroke: var(--line); fill: none; }
.strips .dots { fill: var(--dots); fill-opacity: .55; }
details { margin-top: 14px; }
summary { cursor: pointer; color: var(--soft); font-size: 14px; }
.finding { margin-top: 16px; break-inside: avoid; }
.finding header { display: flex; gap: 18px; align-items: flex-start; justify-content: space-between; }
.finding h3 { margin: 0; font-size: 17px; line-height: 1.4; font-weight: 600; overflow-wrap: anywhere; }
.finding .where { color: var(--soft); font-size: 13px; margin: 2px 0 0; overflow-wrap: anywhere; }
.finding .dice { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.finding .dice b { font-size: 26px; line-height: 1.1; display: block; color: var(--strict); }
.chips { display: flex; flex-wrap: wrap; gap: 6px; margin: 10px 0 12px; padding: 0; list-style: none; }
.chips li { border: 1px solid var(--line); border-radius: 99px; padding: 1px 10px; font-size: 13px;
  font-variant-numeric: tabular-nums; }
.panels { display: grid; grid-template-columns: repeat(5, 1fr); gap: 8px; }
.panels figure { margin: 0; }
.panels svg { width: 100%; aspect-ratio: 1; background: #000; border-radius: 6px; print-color-adjust: exact;
  -webkit-print-color-adjust: exact; }
.panels figcaption { font-size: 12px; color: var(--soft); margin-top: 4px; text-align: center; }
.panels text { fill: #fff; paint-order: stroke; stroke: #000; stroke-opacity: .7; stroke-width: .35em;
  stroke-linejoin: round; font-weight: 600; }
.panels .ground { fill: #20262f; }
.panels .line { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linecap: square; }
.panels .truth.line { stroke: var(--truth); } .panels .guess.line { stroke: var(--guess); }
.panels .area { stroke: none; shape-rendering: crispEdges; fill-opacity: .62; }
.panels .truth.area { fill: var(--truth); } .panels .guess.area { fill: var(--guess); }
.panels .both.area { fill: var(--both); }
.panels .frame { fill: none; stroke: #fff; stroke-opacity: .85; stroke-width: 1.2; vector-effect: non-scaling-stroke;
  stroke-dasharray: 4 3; }
.panels .bar { stroke: #fff; stroke-width: 3; vector-effect: non-scaling-stroke; fill: none; }
.panels .bar.under { stroke: #000; stroke-opacity: .7; stroke-width: 6; }
.options { margin: 6px 0 10px; padding-left: 1.6em; }
.options li { padding: 1px 6px; border-radius: 6px; }
.options em { font-style: normal; font-size: 12px; color: var(--soft); }
.options .key-option { background: var(--good-wash); } .options .key-option::marker { color: var(--good); font-weight: 700; }
.options .wrong-option { background: var(--warn-wash); } .options .wrong-option::marker { color: var(--warn); font-weight: 700; }
.swatch { display: inline-block; width: 14px; height: 14px; border-radius: 3px; print-color-adjust: exact;
  -webkit-print-color-adjust: exact; }
.swatch.truth { background: var(--truth); } .swatch.guess { background: var(--guess); }
.swatch.both { background: var(--both); }
@media screen and (max-width: 900px) {
  .tiles, .verdicts { grid-template-columns: 1fr 1fr; }
  .panels { grid-template-columns: repeat(3, 1fr); }
}
@media print {
  :root { color-scheme: light; --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #ccc; }
  body { font-size: 11pt; }
  main { max-width: none; padding: 0; }
  section { margin-top: 24px; }
  .tile, .verdict, .strips, figure, tr { break-inside: avoid; }
  .tiles { gap: 8px; }
  .tile { padding: 10px 12px; }
  .tile .big { font-size: 26px; }
  td:first-child { min-width: 11em; }
  td .mark { width: 90px; }
  .verdict { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h2, h3 { break-after: avoid; }
}
)css";

}  // namespace fiducial
