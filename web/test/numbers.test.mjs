import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./modules.mjs";

const { absent, counted_text, difference_text, grouped, interval_text, number_text, p_text, percent_text } = await load("lib/numbers");

test("a number that does not exist is an en dash, never 0", () => {
  for (const missing of [null, undefined, NaN, Infinity]) {
    assert.equal(number_text(missing), absent);
    assert.equal(difference_text(missing), absent);
  }
  assert.equal(p_text(null), absent);
  assert.equal(interval_text(null), absent);
  assert.equal(percent_text(undefined), absent);
  assert.equal(absent, "–");
});

test("shares have three decimals, large numbers fewer", () => {
  assert.equal(number_text(0), "0.000");
  assert.equal(number_text(0.7840549), "0.784");
  assert.equal(number_text(12.3456, "mm"), "12.35 mm");
  assert.equal(number_text(123.456), "123.5");
  assert.equal(number_text(0.5, "1"), "0.500");
  assert.equal(number_text(-0.0591), "−0.059");
});

test("a difference shows its sign, and none where it rounds to nothing", () => {
  assert.equal(difference_text(0.25), "+0.250");
  assert.equal(difference_text(-0.25), "−0.250");
  assert.equal(difference_text(-0.0001), "0.000");
});

test("thousands are set apart", () => {
  assert.equal(grouped(999), "999");
  assert.equal(grouped(25000), "25\u2009000");
  assert.equal(counted_text(1, "cases"), "1 case");
  assert.equal(counted_text(2, "categories"), "2 categories");
});

test("small p-values are bounded, not rounded to 0", () => {
  assert.equal(p_text(0.00001), "< .001");
  assert.equal(p_text(0.0625), ".063");
});
