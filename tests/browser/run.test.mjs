// Scorecards, the rows behind them, and comparisons.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";

import { corpus, launch, serve, watched_page } from "./browser.mjs";
import { arrived, check_page, open } from "./page_checks.mjs";

let server, browser, runs;
before(async () => {
  server = await serve([corpus]);
  browser = await launch();
  runs = (await (await fetch(`${server.address}/api/v1/runs`)).json()).items;
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const id_of = (task, system) => runs.find((run) => run.task === task && run.system === system).id;

test("scorecards of every task pass on every screen", async () => {
  const seen = new Set();
  for (const run of runs) {
    if (seen.has(run.task)) continue;
    seen.add(run.task);
    await check_page(browser, server.address, `/r/${run.id}`);
  }
  assert.ok(seen.size >= 5, [...seen].join()); // one of them is null: asked, and not scored
});

test("every number of a scorecard opens the rows behind it", async () => {
  const { page } = await watched_page(browser, server.address);
  const weak = id_of("finding_masks", "weak");
  await open(page, server.address, `/r/${weak}`);
  const links = await page.locator(".slots .big a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  assert.ok(links.length >= 12);
  for (const link of links) assert.match(link, /^\/r\/[^/]+\/rows\?metric=[^&]+&scorer=(strict|official)$/);
  await page.locator(".slots .big a").first().click();
  await arrived(page);
  assert.ok((await page.locator(".row_table tbody tr").count()) > 1);
});

test("dots have names and open their case", async () => {
  const { page } = await watched_page(browser, server.address);
  await open(page, server.address, `/r/${id_of("finding_masks", "weak")}`);
  const dots = page.locator(".dots a");
  assert.ok((await dots.count()) > 3);
  for (const dot of await dots.all()) assert.match(await dot.getAttribute("aria-label"), /^\S+ · \d+: [0-9.]+$/);
  await dots.first().focus();
  assert.match(await page.locator(".dots figcaption").innerText(), /: 0\.\d+/);
});

test("rows sort, filter and search, pass on every screen, and are saved as CSV", async () => {
  const weak = id_of("finding_masks", "weak");
  await check_page(browser, server.address, `/r/${weak}/rows?metric=dice`);
  const { page, check } = await watched_page(browser, server.address);
  await open(page, server.address, `/r/${weak}/rows?metric=dice`);
  await page.locator("th button", { hasText: "value" }).click();
  await page.waitForURL(/sort=value&order=asc/);
  await arrived(page);
  const values = (await page.locator(".row_table td.big").allInnerTexts()).map(Number);
  assert.deepEqual(values, [...values].sort((a, b) => a - b));
  await page.getByLabel("only").selectOption({ label: "Category: 2d" });
  await page.waitForURL(/where=category%3D2d/);
  await arrived(page);
  assert.ok((await page.locator(".row_table tbody tr").count()) < values.length);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as CSV" }).click()]);
  assert.equal(download.suggestedFilename(), `${weak}.csv`);
  await page.getByRole("link", { name: /remove the condition/ }).click();
  await page.waitForFunction(() => !location.search.includes("where="));
  assert.deepEqual(await check(), []);
});

test("comparisons of two and of three pass on every screen", async () => {
  const [good, weak] = ["good", "weak"].map((system) => id_of("finding_masks", system));
  await check_page(browser, server.address, `/compare?runs=${good},${weak}`);
  await check_page(browser, server.address, `/compare?runs=${good}`);
  const others = runs.filter((run) => run.task === "diagnosis").map((run) => run.id);
  await check_page(browser, server.address, `/compare?runs=${others.join(",")}`, {
    look: async (page) => assert.equal(await page.locator(".ranking tbody tr").count(), others.length),
  });
});

test("a case that moved opens with both runs side by side", async () => {
  const { page } = await watched_page(browser, server.address);
  const [good, weak] = ["good", "weak"].map((system) => id_of("finding_masks", system));
  await open(page, server.address, `/compare?runs=${good},${weak}`);
  const link = page.locator("#moved").locator("xpath=..").getByRole("link").first();
  assert.match(await link.getAttribute("href"), new RegExp(`^/c/rexgroundingct/[^?]+\\?finding=\\d+&run=${good}&vs=${weak}$`));
});
