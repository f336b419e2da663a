// Home: what is served, one click from everything.
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

test("home passes on every screen", () => check_page(browser, server.address, "/"));

test("three clicks lead from home to the worst finding of a run", async () => {
  const { page, check } = await watched_page(browser, server.address);
  await open(page, server.address, "/");
  await page.locator(".run_group", { hasText: "Findings segmented" }).getByRole("link", { name: "weak", exact: true }).click();
  await page.waitForURL(/\/r\//);
  await arrived(page);
  await page.locator("h3", { hasText: "Worst" }).locator("xpath=..").getByRole("link").first().click();
  await page.waitForURL(/\/c\/rexgroundingct\/.*finding=\d+.*show=diff/);
  assert.deepEqual(await check(), []);
});

test("back and forward go where the reader was", async () => {
  const { page } = await watched_page(browser, server.address);
  await open(page, server.address, "/");
  await page.getByRole("link", { name: "rexgroundingct", exact: true }).first().click();
  await page.waitForURL(/\/d\/rexgroundingct$/);
  await page.goBack();
  await page.waitForURL((url) => url.pathname === "/");
  await arrived(page);
  assert.equal(await page.locator("#datasets").count(), 1);
});

test("runs that are ticked are compared", async () => {
  const { page } = await watched_page(browser, server.address);
  await open(page, server.address, "/");
  const group = page.locator(".run_group", { hasText: "Findings segmented" });
  for (const box of await group.getByRole("checkbox").all()) await box.check();
  await group.getByRole("link", { name: /^Compare/ }).click();
  await page.waitForURL(/\/compare\?runs=/);
});

test("colours can be chosen, and stay", async () => {
  const { page } = await watched_page(browser, server.address);
  await open(page, server.address, "/");
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  const button = page.getByRole("button", { name: /^colours/ });
  await button.click();
  assert.equal(await theme(), "dark");
  await button.click();
  assert.equal(await theme(), "light");
  await page.reload();
  await arrived(page);
  assert.equal(await theme(), "light");
});

test("an address that is none says so and leads home", () =>
  check_page(browser, server.address, "/no/such/page", {
    look: async (page) => assert.match(await page.locator("main").innerText(), /no such page/),
  }));
