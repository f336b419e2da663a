import assert from "node:assert/strict";
import test from "node:test";

import { load, random_from } from "./modules.mjs";

const { is_whole, looks_grey, whole_window, window_table } = await load("pages/question/grey_window");
const { letter_of, options_of } = await load("pages/question/option_list");
const { round_limits, scale, spread } = await load("lib/scale");
const { stat_sections } = await load("lib/stat_sections");
const { operations_of } = await load("lib/operations");

test("the whole window leaves every grey value as it is", () => {
  assert.ok(is_whole(whole_window));
  const table = window_table(whole_window, false);
  for (let grey = 0; grey < 256; ++grey) assert.equal(table[grey], grey);
});

test("a window is black below, white above, and inverts", () => {
  const table = window_table({ width: 50, level: 100 }, false);
  assert.equal(table[74], 0);
  assert.equal(table[126], 255);
  assert.equal(window_table({ width: 50, level: 100 }, true)[126], 0);
});

test("a picture is grey where its channels agree", () => {
  assert.ok(looks_grey(new Uint8ClampedArray(4000).fill(90)));
  const coloured = new Uint8ClampedArray(4000).fill(90);
  for (let at = 0; at < coloured.length; at += 4) coloured[at] = 200;
  assert.ok(!looks_grey(coloured));
});

test("options come as texts, records or by letter", () => {
  const wanted = [{ letter: "A", text: "x" }, { letter: "B", text: "y" }];
  assert.deepEqual(options_of({ options: ["x", "y"] }), wanted);
  assert.deepEqual(options_of({ options: wanted }), wanted);
  assert.deepEqual(options_of({ options: { A: "x", B: "y" } }), wanted);
  assert.equal(letter_of(" b"), "B");
  assert.equal(letter_of(null), null);
});

test("limits are those of a share, or round ones outside the values", () => {
  assert.deepEqual(round_limits([0.2, 0.9]), [0, 1]);
  assert.deepEqual(round_limits([-0.2, 0.9]), [-1, 1]);
  assert.deepEqual(round_limits([3, 42]), [0, 50]);
  assert.equal(scale(0, 1, 100).at(2), 100);
});

test("dots of a row never cover each other", () => {
  const random = random_from(3);
  const places = Array.from({ length: 200 }, () => random() * 300);
  const rows = spread(places, 9);
  for (let a = 0; a < places.length; ++a)
    for (let b = 0; b < a; ++b) if (rows[a] === rows[b]) assert.ok(Math.abs(places[a] - places[b]) >= 9);
});

test("statistics become numbers and counts, whatever the dataset is", () => {
  const [section] = stat_sections({
    splits: { train: { scans: 4, categories: { "1a": 1, "1b": 0 }, entities: { mean: 2, histogram: { 1: 3 } }, sizes: [{ from_log10: 2, findings: 5 }], components: null } },
  });
  assert.deepEqual(section.numbers, [{ name: "scans", value: 4 }]);
  assert.deepEqual(section.charts.map((chart) => [chart.field, chart.bars]), [
    ["categories", [{ label: "1a", count: 1 }]],
    ["entities", [{ label: "1", count: 3 }]],
    ["sizes", [{ label: "from 100", count: 5 }]],
  ]);
  assert.equal(stat_sections({ tables: [{ split: "train", task: "size", rows: 9 }] })[0].title, "train · size");
  for (const nothing of [null, undefined, 3, [], {}]) assert.deepEqual(stat_sections(nothing), []);
});

test("an OpenAPI document becomes a list of operations, a broken one none", () => {
  const [operation] = operations_of({ paths: { "/x": { get: { summary: "s", parameters: [{ name: "q", in: "query" }], responses: { 200: { content: { "text/csv": {} } } } } } } });
  assert.deepEqual(operation, { method: "GET", path: "/x", summary: "s", parameters: [{ name: "q", place: "query", required: false, description: "" }], types: ["text/csv"] });
  assert.deepEqual(operations_of(null), []);
});
