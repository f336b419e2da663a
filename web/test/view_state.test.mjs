import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./modules.mjs";

const { parse_state, state_words, query_words, first_state } = await load("viewer/view_state");
const { window_table, window_presets, parse_window, window_words } = await load("viewer/windows");
const { key_table, action_of } = await load("viewer/keys");
const { region_values, length_mm } = await load("viewer/measure");
const { Plane } = await load("viewer/plane");
const { Volume } = await load("viewer/volume");

const there_and_back = (state) => parse_state(new URLSearchParams(query_words(state_words(state))));

test("every state comes back from its address", () => {
  const states = [
    first_state,
    { ...first_state, at: [156, 91, 35], finding: 3, run: "good", show: "difference" },
    { ...first_state, window: { centre_hu: -50, width_hu: 333 }, inverted: true, layout: "coronal", slab_mm: 10, zoom: 2.5 },
    { ...first_state, run: "a b&c", versus: "weak", show: "prediction", apart: -4, together: false, layout: "sagittal" },
    { ...first_state, tab: "steps", region: "lung/left lung", question: 7, step: { chain: 1, step: 3 }, opacity: 0.3 },
    { ...first_state, measures: [{ kind: "roi", plane: "axial", slice: 58, from: { column: -12.5, row: 40 }, to: { column: 60.5, row: 41.1 } }] },
    { ...first_state, hidden: new Set([2, 0]), organs: new Set([210, 1]), overlay: false, fill: false, crosshair: false, layout: "three_d" },
  ];
  for (const state of states) assert.deepEqual(there_and_back(state), state);
});

test("words that mean nothing are passed over", () => {
  const state = parse_state(new URLSearchParams("at=1,2&finding=-1&w=x&view=up&zoom=900&slab=3&organs=a,4,,&hide=%00&apart=1.5&step=0.1&tab=%3Cb%3E&opacity=7&measures=length-axial-1-2_3"));
  assert.deepEqual(state, { ...first_state, organs: new Set([4]) });
});

test("a window draws what the server's formula says, for every value", () => {
  for (const window of [...window_presets, { centre_hu: 7, width_hu: 1 }]) {
    const table = window_table(window);
    for (let hu = -32768; hu < 32768; hu += 7) {
      const share = Math.min(1, Math.max(0, (hu - (window.centre_hu - window.width_hu / 2)) / window.width_hu));
      assert.equal(table[hu + 32768] & 255, Math.round(share * 255));
    }
  }
  assert.equal(window_words(parse_window("-600,1500")), "lung");
  assert.equal(parse_window("-600,0").width_hu, 1);
});

test("no key means two things, and keys with Ctrl are the browser's", () => {
  const keys = key_table.flatMap((entry) => entry.keys);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(action_of({ key: "d", ctrlKey: false, metaKey: false, altKey: false }), "show");
  assert.equal(action_of({ key: "d", ctrlKey: true, metaKey: false, altKey: false }), undefined);
  assert.equal(action_of({ key: "ArrowLeft", shiftKey: true }), "move_left");
  assert.equal(action_of({ key: "PageUp", shiftKey: true }), "slices_back");
});

test("a length is in millimetres and a region knows mean and sd", () => {
  const meta = { dimensions: [4, 4, 1], spacing_mm: [3, 4, 1], affine: [-3, 0, 0, 0, 0, -4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], axes: [], range: null, slab: 16, slabs: 1, coding: ["raw", "dp"], pictures: true };
  const volume = new Volume(meta);
  volume.put(0, Int16Array.from({ length: 16 }, (_, i) => i));
  const plane = new Plane("axial", volume.grid);
  assert.equal(length_mm(plane, { column: 0, row: 0 }, { column: 1, row: 1 }), 5);
  const values = region_values(volume, plane, { kind: "roi", plane: "axial", slice: 0, from: { column: 1, row: 1 }, to: { column: 3, row: 3 } });
  assert.deepEqual(values, { n: 4, mean: 7.5, sd: Math.sqrt(17 / 3), least: 5, most: 10, area_mm2: 48 });
});
