import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./modules.mjs";

const { match_path, query_text, to } = await load("lib/route");
const { lint_address, pictures_in } = await load("lib/lint_place");
const { row_address, row_name } = await load("lib/row_links");

test("a pattern takes paths of its own length only, and decodes their parts", () => {
  assert.deepEqual(match_path("/c/:dataset/:case", "/c/demo/train_1"), { dataset: "demo", case: "train_1" });
  assert.deepEqual(match_path("/c/:dataset/:case", "/c/a%2Fb/%C3%A4"), { dataset: "a/b", case: "ä" });
  assert.deepEqual(match_path("/d/:dataset", "/d/demo/"), { dataset: "demo" });
  assert.deepEqual(match_path("/", "/"), {});
  assert.equal(match_path("/d/:dataset", "/d/"), null);
  assert.equal(match_path("/d/:dataset", "/d/demo/cases"), null);
  assert.equal(match_path("/", "/d"), null);
});

test("a percent sign that is no escape matches nothing", () => {
  assert.equal(match_path("/d/:dataset", "/d/%E0%A4%A"), null);
});

test("addresses read back as what they were made of", () => {
  for (const name of ["train_1", "a b", "ä/ö", "<script>", "50%", "?x=1&y", "#", ".."]) {
    const { pathname } = new URL(to.case("set", name), "http://host");
    if (name !== "..") assert.equal(match_path("/c/:dataset/:case", pathname)?.case, name);
  }
});

test("what is absent leaves no trace in a query", () => {
  assert.equal(query_text({ a: null, b: undefined, c: "", d: 0 }), "?d=0");
  assert.equal(query_text({}), "");
});

test("a finding of the check opens its case at the channel and the voxel", () => {
  const finding = { code: "x", severity: "error", file: "segmentations/train_79_a_1.nii.gz", place: "channel 2", message: "at voxel (3, 4, 5)" };
  assert.equal(lint_address(finding, "demo"), "/c/demo/train_79_a_1?finding=2&at=3%2C4%2C5");
  assert.equal(lint_address({ ...finding, file: "dataset.json", place: "", message: "" }, "demo"), null);
});

test("a row opens its case at its finding; one whose case is not served opens nothing", () => {
  const row = { case: "train_1.nii.gz", finding: 0 };
  assert.equal(row_address({ ...row, case_id: "train-1" }, "demo", "good", "finding_masks", true), "/c/demo/train-1?finding=0&run=good&show=diff");
  assert.equal(row_address({ ...row, case_id: null }, "demo", "good", "finding_masks"), null);
  assert.equal(row_address(row, null, "good", "finding_masks"), null);
  assert.equal(row_address({ ...row, case_id: "train-1" }, "demo", "good", "grounded_reports"), "/c/demo/train-1?run=good");
  assert.equal(row_name(row), "train_1 · 1");
  assert.equal(row_name(row, false), "train_1");
  const of_region = { ...row, case_id: "train-1", group_region: "heart" };
  assert.equal(row_address(of_region, "demo", "good", "region_tables"), "/c/demo/train-1?tab=regions&region=heart&run=good");
  assert.equal(row_name(of_region), "train_1 · heart");
});

const { is_about, placed_texts } = await load("lib/regions");

test("a sentence that stands at several places of a region is shown once", () => {
  const at = (region, text) => ({ region, text, organs: [], answers: [] });
  const texts = placed_texts([at("lung/left lung", "a"), at("lung", "a"), at("bone", "a"), at("lung", "b")]);
  assert.deepEqual(texts.map(({ text, places }) => [text, places]), [["a", ["lung", "lung/left lung"]], ["a", ["bone"]], ["b", ["lung"]]]);
});

test("a question is about its place, the regions around it and nothing else", () => {
  const question = { region: "lung", place: "lung/left lung" };
  for (const region of ["lung", "lung/left lung"]) assert.ok(is_about(question, region));
  for (const region of ["lung/left lung/left lung upper lobe", "lung/left", "bone"]) assert.ok(!is_about(question, region));
  assert.ok(is_about({ region: "lung", place: null }, "lung"));
});

test("a finding about two pictures names both", () => {
  const finding = { file: "images/case00051/V54au-9J.jpg", message: "found one that looks like images/case00021/mr4wbnpm.jpg of another case" };
  assert.deepEqual(pictures_in(finding), [{ case_id: "51", label: "V54au-9J" }, { case_id: "21", label: "mr4wbnpm" }]);
  assert.deepEqual(pictures_in({ file: "dataset.json", message: "x" }), []);
});
