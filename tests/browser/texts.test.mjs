// Texts and their places: reports with every mark, regions and questions with their organs, chains of places.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";

import { address_says, corpus, launch, open_case, serve, violations, watched_page } from "./browser.mjs";

let server, browser, page, check;
const grounded = "/c/rexgroundingct/train_263_b_2";
const tables = "/c/radgenome/train_263_b_2";

before(async () => {
  server = await serve([corpus]);
  browser = await launch();
  ({ page, check } = await watched_page(browser, server.address));
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const viewer = (body) => page.evaluate(`(() => { const viewer = document.querySelector(".case_page").viewer; ${body} })()`);
const lit_holds_crosshair = () => viewer('return [...viewer.state.organs].some((id) => viewer.store.mask("organs", id)?.contains(viewer.state.at));');
const organs_there = () => page.waitForFunction(() => document.querySelector(".case_page")?.viewer?.store.state("organs") === "there");

test("marks stand where the stages say that the words are", async () => {
  await open_case(page, server.address, `${grounded}?tab=report`);
  await page.waitForSelector(".sentences mark");
  const notes = await (await fetch(`${server.address}/api/v1/cases/rexgroundingct/train_263_b_2/notes`)).json();
  const words = (kinds) => notes.marks.filter((mark) => kinds.includes(mark.kind)).map((mark) => notes.texts.find((text) => text.column === mark.text).text.slice(mark.begin, mark.end));
  for (const kind of ["finding", "denied", "label"]) {
    const wanted = [...new Set(words([kind]))].sort();
    assert.ok(wanted.length > 0, kind);
    const shown = await page.locator(`.sentences mark.mark_${kind}`).allInnerTexts();
    for (const one of wanted) assert.ok(shown.join("|").includes(one), `${kind}: ${one} in ${shown}`);
  }
  assert.deepEqual(notes.stages.sort(), ["codes", "cot", "findings", "labels", "questions", "regions", "sentences"]);
  assert.deepEqual(await violations(page), []);
});

test("a kind of marks can be left out, and a sentence says why it is marked", async () => {
  await page.getByRole("button", { name: /^denied/ }).click();
  assert.equal(await page.locator(".sentences mark.mark_denied").count(), 0);
  const sentence = page.locator(".sentences li", { hasText: "consolidation" }).first();
  await sentence.getByRole("button").click();
  assert.match(await sentence.locator(".reasons").innerText(), /regions: lung[^]*labels: Consolidation/);
});

test("a sentence of the report leads into the mask of its finding, and the address says so", async () => {
  await page.locator(".sentences button", { hasText: "Pleural effusion measuring" }).click();
  assert.ok(await viewer('return viewer.store.mask("reference", 0).contains(viewer.state.at);'));
  await address_says(page, "finding", "0");
  await address_says(page, "tab", "report");
});

test("a sentence without a finding lights the organs of its region", async () => {
  await page.locator(".sentences button", { hasText: "esophagus" }).click();
  await organs_there();
  await page.waitForFunction(() => document.querySelector(".case_page").viewer.state.organs.size > 0);
  assert.ok(await lit_holds_crosshair());
});

test("a chain of places narrows down step by step: each box holds the crosshair and lies in the one before", async () => {
  await open_case(page, server.address, `${grounded}?tab=steps`);
  await page.waitForSelector(".chain");
  assert.deepEqual(await violations(page), []);
  const chain = page.locator(".chain", { hasText: "consolidation" }).first();
  await chain.getByRole("button", { name: "Walk through it" }).click();
  let before = null;
  for (let step = 0; step < 4; ++step) {
    const box = await viewer("return viewer.box;");
    if (before) for (let axis = 0; axis < 3; ++axis) assert.ok(box.low[axis] >= before.low[axis] - 0.01 && box.high[axis] <= before.high[axis] + 0.01, `${box.label} in ${before.label}`);
    before = box;
    if (step < 3) await chain.getByRole("button", { name: "Next step" }).click();
  }
  assert.equal(before.label, "right lung lower lobe");
  await address_says(page, "step", "2.4");
});

test("a link that names a step draws its box and lights its organs", async () => {
  await open_case(page, server.address, `${grounded}?tab=steps&step=2.4`);
  await page.waitForFunction(() => document.querySelector(".case_page").viewer.box?.label === "right lung lower lobe");
  await page.waitForFunction(() => document.querySelector(".case_page").viewer.state.organs.size === 1);
  const yellow = await page.evaluate(() => {
    const canvas = document.querySelector('[data-pane="axial"] canvas');
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] === 0xf0 && data[i + 1] === 0xe4 && data[i + 2] === 0x42) ++count;
    return count;
  });
  assert.ok(yellow > 100, `${yellow} pixels of the box`);
});

test("a region's sentence and a question light their organs, and say so under the crosshair", async () => {
  await page.goto(server.address + tables);
  await page.waitForSelector("[data-region]");
  assert.deepEqual(await violations(page), []);
  await page.locator('[data-region="heart"] button').click();
  await organs_there();
  await page.waitForSelector('[data-region="heart"] .badge');
  assert.ok(await lit_holds_crosshair());
  await address_says(page, "region", "heart");
  await page.getByRole("tab", { name: /^Questions/ }).click();
  const families = await page.locator(".family summary").allInnerTexts();
  assert.ok(families.length >= 4, families.join());
  for (const word of ["✓ right", "✕ wrong"]) assert.ok((await page.locator(".family .badge", { hasText: word }).count()) > 0, word);
  await page.locator(".family button", { hasText: "esophagus" }).first().click();
  await page.waitForSelector(".family li.selected .badge:has-text('crosshair')");
  assert.deepEqual(await violations(page), []);
});

test("a link to a question opens it, lit", async () => {
  const record = await (await fetch(`${server.address}/api/v1/cases/radgenome/train_263_b_2`)).json();
  const number = record.questions.findIndex((question) => question.region === "heart");
  await page.goto(`${server.address}${tables}?tab=questions&question=${number}`);
  await page.waitForSelector(`[data-question="${number}"].selected`);
  await organs_there();
  await page.waitForFunction(() => document.querySelector(".case_page").viewer.state.organs.size > 0);
});

test("the tables are a page of their own one click away, and back", async () => {
  await page.getByRole("link", { name: /page of their own/ }).click();
  await page.waitForSelector(".region_tables");
  await page.getByRole("link", { name: "in the scan" }).click();
  await page.waitForSelector(".case_page");
});

test("a report of markup stays text", async () => {
  await page.route("**/notes", (route) =>
    route.fulfill({ json: { texts: [{ column: "Findings_EN", text: "<img src=x onerror=alert(1)> seen." }], marks: [{ stage: "labels", text: "Findings_EN", begin: 0, end: 28, kind: "label", label: "<b>", detail: "<script>", organs: [] }], chains: [], stages: ["labels"], problems: [] } }),
  );
  await page.goto(`${server.address}${grounded}?tab=report`);
  await page.waitForSelector(".sentences mark");
  assert.equal(await page.locator(".panel img").count(), 0);
  await page.unroute("**/notes");
  assert.deepEqual(await check(), []);
});
