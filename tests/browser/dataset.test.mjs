// A dataset: statistics, check, card; and its cases as a list.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";

import { corpus, launch, serve, watched_page } from "./browser.mjs";
import { arrived, check_page, open } from "./page_checks.mjs";

let server, browser;
before(async () => {
  server = await serve([corpus]);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

for (const dataset of ["rexgroundingct", "medthinkvqa", "radgenome"]) {
  test(`${dataset} passes on every screen`, () => check_page(browser, server.address, `/d/${dataset}`));
  test(`the cases of ${dataset} pass on every screen`, () => check_page(browser, server.address, `/d/${dataset}/cases`));
}

test("what the check finds opens its case at the place", async () => {
  const { page } = await watched_page(browser, server.address);
  await open(page, server.address, "/d/rexgroundingct");
  const link = page.locator("#lint").locator("xpath=..").getByRole("link").first();
  assert.match(await link.getAttribute("href"), /^\/c\/rexgroundingct\/[^?]+/);
});

test("two pictures that the check finds alike are shown side by side, and lead to their cases", async () => {
  const record = async (id) => (await fetch(`${server.address}/api/v1/cases/medthinkvqa/${id}`)).json();
  const [one, other] = await Promise.all(["1", "2"].map(record));
  const name = (found) => `images/case${found.id.padStart(5, "0")}/${found.question.images[0].label}.jpg`;
  const finding = { code: "near_duplicate", severity: "warning", file: name(one), place: "", message: `looks like ${name(other)}` };
  const { page, check } = await watched_page(browser, server.address);
  await page.route("**/lint", (route) => route.fulfill({ json: { benchmark: "medthinkvqa", findings: [finding], counts: { warnings: 1, cases: 31 } } }));
  await open(page, server.address, "/d/medthinkvqa");
  await page.getByText("side by side").click();
  await page.waitForFunction(() => [...document.querySelectorAll(".alike img")].filter((image) => image.naturalWidth > 0).length === 2);
  assert.deepEqual(await page.locator(".alike a").evaluateAll((links) => links.map((link) => link.getAttribute("href"))), ["/c/medthinkvqa/1?image=1", "/c/medthinkvqa/2?image=1"]);
  assert.deepEqual(await check(), []);
});

test("a bar of the statistics opens the cases that it counts", async () => {
  const { page } = await watched_page(browser, server.address);
  await open(page, server.address, "/d/rexgroundingct");
  await page.getByRole("link", { name: "2d", exact: true }).first().click();
  await page.waitForURL(/group=category%3D2d/);
  await arrived(page);
  assert.ok((await page.locator(".case_table tbody tr").count()) >= 1);
});

test("words, a split and a run narrow the list, and the address keeps them", async () => {
  const { page, check } = await watched_page(browser, server.address);
  await open(page, server.address, "/d/rexgroundingct/cases");
  const all = await page.locator(".case_table tbody tr").count();
  await page.getByLabel("split").selectOption("test");
  await page.waitForURL(/split=test/);
  await page.getByLabel("scores of").selectOption("weak");
  await page.waitForURL(/run=weak/);
  await arrived(page);
  await page.locator("th button", { hasText: /Dice/ }).click();
  await page.waitForURL(/sort=value/);
  await arrived(page);
  const values = (await page.locator(".case_table td.number a").allInnerTexts()).map(Number);
  assert.ok(values.length > 1 && values.length < all);
  assert.deepEqual(values, [...values].sort((a, b) => a - b));
  await page.keyboard.press("/");
  await page.keyboard.type("nothing has these words");
  await page.waitForFunction(() => /No case fits/.test(document.querySelector("main").innerText));
  assert.deepEqual(await check(), []);
});
