// What `serve --export` wrote, behind a plain file server and not at its root: the same pages, no server of ours.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";

import { command, corpus, launch, violations, watched_page } from "./browser.mjs";
import { arrived, open } from "./page_checks.mjs";

let folder, server, address, browser, pair;

// Python's own file server on a free port; it names it when it listens.
async function plain_server(root) {
  const process = spawn("python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", root], { stdio: ["ignore", "pipe", "ignore"] });
  const port = await new Promise((found, failed) => {
    process.stdout.on("data", (chunk) => {
      const named = /port (\d+)/.exec(String(chunk));
      if (named) found(named[1]);
    });
    process.on("exit", (code) => failed(new Error(`http.server ended with ${code}`)));
  });
  return { process, address: `http://127.0.0.1:${port}` };
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiducial-copy-"));
  command("serve", corpus, "--export", join(folder, "some/where"), "--with-volumes");
  ({ process: server, address } = await plain_server(folder));
  const { runs } = await (await fetch(`${address}/some/where/api/v1/info.json`)).json();
  pair = runs.filter((run) => run.task === "finding_masks").map((run) => run.id).join(",");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

const site = "/some/where";

test("home leads to the worst finding of a run, whose masks and voxels are there", async () => {
  const { page, check } = await watched_page(browser, address);
  await open(page, address, `${site}/`);
  assert.deepEqual(await violations(page), []);
  await page.locator(".run_group", { hasText: "Findings segmented" }).getByRole("link", { name: "weak", exact: true }).click();
  await page.waitForURL(/\/some\/where\/r\//);
  await arrived(page);
  await page.locator("h3", { hasText: "Worst" }).locator("xpath=..").getByRole("link").first().click();
  await page.waitForURL(/\/some\/where\/c\/rexgroundingct\/.*finding=\d+.*show=diff/);
  await page.waitForFunction(() => {
    const viewer = document.querySelector(".case_page")?.viewer;
    return viewer?.volume?.whole && viewer.store.state("reference") === "there" && viewer.store.state(`run:${viewer.state.run}`) === "there";
  });
  const inside = await page.evaluate(() => {
    const viewer = document.querySelector(".case_page").viewer;
    return viewer.volume.hu(viewer.state.at) > -2000 && viewer.store.mask("reference", viewer.state.finding).contains(viewer.state.at);
  });
  assert.ok(inside);
  assert.deepEqual(await check(), []);
});

test("every page opens by its own address", async () => {
  const { page, check } = await watched_page(browser, address);
  for (const path of ["/d/rexgroundingct/", "/d/rexgroundingct/cases/?split=test", "/r/weak/", "/r/weak/rows/?metric=dice", `/compare/?runs=${pair}`, "/help/keys/", "/help/metrics/dice/", "/api/"]) {
    await open(page, address, site + path);
    assert.equal(await page.locator("[role=alert], .failed").count(), 0, path);
    assert.equal(await page.locator("h1").count(), 1, path);
  }
  assert.deepEqual(await check(), []);
});

test("questions and tables show their images, answers and sentences", async () => {
  const { page, check } = await watched_page(browser, address);
  for (const [dataset, shown] of [["medthinkvqa", "img, canvas"], ["radgenome", "table, details, li"]]) {
    await open(page, address, `${site}/d/${dataset}/cases/`);
    await page.locator("tbody a, .case_table a").first().click();
    await page.waitForURL(/\/c\//);
    await arrived(page);
    assert.ok((await page.locator(`main :is(${shown})`).count()) > 0, dataset);
  }
  assert.deepEqual(await check(), []);
});

test("lists are searched, filtered and sorted without a server", async () => {
  const { page } = await watched_page(browser, address);
  await open(page, address, `${site}/d/rexgroundingct/cases/?split=test&run=weak&sort=value&order=asc`);
  const words = await page.locator("tbody tr").allInnerTexts();
  assert.ok(words.length > 1);
  await open(page, address, `${site}/d/rexgroundingct/cases/?q=no-such-words`);
  assert.match(await page.locator("main").innerText(), /No case fits/);
  await open(page, address, `${site}/r/weak/rows/?metric=dice&scorer=strict&where=category%3D2d`);
  assert.match(await page.locator("main").innerText(), /\d+ rows/);
});

test("what a copy does not hold it says", async () => {
  const { page } = await watched_page(browser, address);
  await open(page, address, `${site}/compare/?runs=${pair}&scorer=official`);
  assert.match(await page.locator("main").innerText(), /copy does not hold/);
});

test("volumes are left out unless they are asked for, and the page says so", async () => {
  command("serve", join(corpus, "demo/rexgroundingct"), "--export", join(folder, "without"));
  assert.ok(!existsSync(join(folder, "without/api/v1/cases/rexgroundingct/train_263_b_2/volume")));
  const { page } = await watched_page(browser, address);
  await open(page, address, "/without/c/rexgroundingct/train_263_b_2/");
  assert.match(await page.locator("main").innerText(), /not part of this copy/);
});
