// Lists of a copy without a server: the same order, pages and filters as the server's.
import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./modules.mjs";

const { page_of } = await load("api/copied_list");
const { cases_in } = await load("api/copied_cases");
const { rows_csv, rows_in } = await load("api/copied_rows");
const { file_of } = await load("api/copy");

const query = (words) => new URLSearchParams(words);

test("items without a key come last in either order, the others by key and place", () => {
  const items = [{ k: 2 }, { k: null }, { k: 1 }, { k: 2, second: true }];
  const order = (words) => page_of(items, query(words), (item) => item.k).items.map((item) => items.indexOf(item));
  assert.deepEqual(order("order=asc"), [2, 0, 3, 1]);
  assert.deepEqual(order("order=desc"), [0, 3, 2, 1]);
});

test("pages follow each other without a gap", () => {
  const items = [...Array(7).keys()];
  const seen = [];
  for (let after = ""; after !== null; ) {
    const page = page_of(items, query({ limit: "3", after }), null);
    assert.equal(page.total, 7);
    seen.push(...page.items);
    after = page.next;
  }
  assert.deepEqual(seen, items);
});

test("cases are found by their words in any case, by split and by group", () => {
  const row = (id, split, label) => ({ id, split, groups: { category: [label] }, words: `${id}\nTwo Nodules`, value: null });
  const kept = { items: [row("a", "test", "2d"), row("b", "train", "2d"), row("c", "test", "1a")] };
  const found = (words) => cases_in(kept, query(words)).items.map((one) => one.id);
  assert.deepEqual(found("q=nodules&split=test"), ["a", "c"]);
  assert.deepEqual(found("group=category%3D2d"), ["a", "b"]);
  assert.deepEqual(found("sort=name&order=desc"), ["c", "b", "a"]);
});

test("rows meet every condition, one of several labels too, and become CSV", () => {
  const kept = {
    columns: ["case", "metric", "scorer", "value", "group_kind"],
    rows: [["x", "dice", "strict", 0.5, "a; b"], ["y", "dice", "strict", null, "b"], ["z", "dice", "official", 1, "c"]],
    case_ids: ["x1", null, "z1"],
  };
  const rows = rows_in(kept, query("metric=dice&scorer=strict&where=kind%3Db&sort=value&order=desc"));
  assert.deepEqual(rows.items.map((row) => [row.case, row.case_id]), [["x", "x1"], ["y", null]]);
  assert.equal(rows_csv(kept, query("where=kind%3Da")), 'case,metric,scorer,value,group_kind\nx,dice,strict,0.5,a; b\n');
  assert.equal(rows_csv({ columns: ["a"], rows: [['say "x", y']], case_ids: [null] }, query("")), 'a\n"say ""x"", y"\n');
});

test("questions become names of files", () => {
  assert.equal(file_of("cases/d/c/masks", query("set=run%3Agood")), "cases/d/c/masks/run/good.runs");
  assert.equal(file_of("compare", query("runs=a,b&slot=dice")), "compare/a,b/dice.json");
  assert.equal(file_of("openapi.json", query("")), "openapi.json");
  assert.equal(file_of("runs/a", query("")), "runs/a.json");
});
