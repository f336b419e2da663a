// Keys, contracts, the API; and the states of pages that fail or are empty.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";

import { corpus, launch, serve, watched_page } from "./browser.mjs";
import { arrived, check_page, open, screens } from "./page_checks.mjs";

let server, browser;
before(async () => {
  server = await serve([corpus]);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

for (const path of ["/help/keys", "/help/metrics", "/help/metrics/dice", "/api"]) {
  test(`${path} passes on every screen`, () => check_page(browser, server.address, path));
}

test("the key ? opens the keys, but not while someone types", async () => {
  const { page } = await watched_page(browser, server.address);
  await open(page, server.address, "/help/metrics");
  await page.getByRole("searchbox").fill("dice");
  await page.getByRole("searchbox").press("?");
  assert.match(page.url(), /metrics/);
  await page.locator("h1").click();
  await page.keyboard.press("?");
  await page.waitForURL(/\/help\/keys$/);
});

const paths = ["/d/rexgroundingct", "/d/rexgroundingct/cases", "/c/rexgroundingct/nobody", "/r/nobody", "/r/nobody/rows", "/compare?runs=a,b", "/help/metrics/nothing"];
test("a page whose answer fails says what, why and the code, and tries again", async () => {
  const refuse = (route) =>
    route.fulfill({ status: 503, contentType: "application/problem+json", body: JSON.stringify({ title: "Not now", status: 503, code: "busy", detail: "The disk sleeps.", place: "demo" }) });
  for (const path of paths) {
    await check_page(browser, server.address, path, {
      expect_faults: true,
      on: [screens[paths.indexOf(path) % 2]],
      prepare: async (page) => {
        await page.route("**/api/v1/**", refuse);
      },
      look: async (page) => {
        const alert = page.getByRole("alert").first();
        for (const words of ["Not now", "The disk sleeps.", "busy", "503"]) assert.match(await alert.innerText(), new RegExp(words));
        assert.equal(await alert.getByRole("button", { name: "Retry" }).count(), 1);
      },
    });
  }
});

test("a page comes back when its answer does", async () => {
  const { page } = await watched_page(browser, server.address);
  let broken = true;
  await page.route("**/api/v1/info", (route) => (broken ? route.abort() : route.continue()));
  await page.goto(server.address);
  await page.getByRole("alert").waitFor();
  assert.match(await page.locator(".lost_connection").innerText(), /does not answer/);
  broken = false;
  await page.getByRole("button", { name: "Retry" }).click();
  await arrived(page);
  assert.equal(await page.locator("#datasets").count(), 1);
  assert.equal(await page.locator(".lost_connection").count(), 0);
});

test("a page that waits shows its skeleton, not a blank", async () => {
  const { page } = await watched_page(browser, server.address);
  await page.route("**/api/v1/info", () => undefined);
  await page.goto(server.address);
  await page.locator(".skeleton").waitFor();
  assert.match(await page.getByRole("status").innerText(), /Loading what is served/);
});

const empty = {
  "/": { info: { version: "0", datasets: [], runs: [], problems: [] }, says: /Nothing is served yet[^]*fiducial serve/ },
  "/d/rexgroundingct/cases?q=nothing": { says: /No case fits/ },
  "/compare": { says: /Choose two runs or more/ },
};
for (const [path, { info, says }] of Object.entries(empty)) {
  test(`${path} says what belongs there when it is empty`, () =>
    check_page(browser, server.address, path, {
      on: [screens[1]],
      prepare: async (page) => info && page.route("**/api/v1/info", (route) => route.fulfill({ json: info })),
      look: async (page) => assert.match(await page.locator("main").innerText(), says),
    }));
}
