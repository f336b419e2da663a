// Three dimensions with software GL: slow, small, and never on a page that another test needs.
import assert from "node:assert/strict";
import test from "node:test";

import { corpus, launch, open_case, serve, watched_page } from "./browser.mjs";

test("NiiVue draws the case under the content security policy, within a minute", { timeout: 90000 }, async () => {
  const server = await serve([corpus]);
  const browser = await launch(["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]);
  const { page, check } = await watched_page(browser, server.address, { viewport: { width: 640, height: 400 } });
  await open_case(page, server.address, "/c/rexgroundingct/train_263_b_2?finding=1&run=good&show=reference");
  await page.keyboard.press("v");
  await page.waitForSelector(".pane_three");
  await page.waitForFunction(() => document.querySelector(".three_words") === null, null, { timeout: 60000 });
  await page.waitForTimeout(500);
  const picture = await page.locator(".pane_three").screenshot({ timeout: 30000 });
  const lit = await page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], { type: "image/png" }));
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (Math.max(data[i], data[i + 1], data[i + 2]) > 40) ++count;
    return count / (data.length / 4);
  }, picture.toString("base64"));
  assert.ok(lit > 0.05, `only ${lit} of the picture is lit`);
  assert.deepEqual((await check()).filter((fault) => !/GPU stall|WebGL/.test(fault)), []);
  await browser.close();
  await server.close();
});

test("without WebGL a sentence stands in place of three dimensions, and the planes work", async () => {
  const server = await serve([corpus]);
  const browser = await launch(["--disable-gpu", "--disable-3d-apis"]);
  const { page, check } = await watched_page(browser, server.address);
  await open_case(page, server.address, "/c/rexgroundingct/train_263_b_2?finding=1");
  await page.keyboard.press("v");
  await page.waitForFunction(() => /need WebGL/.test(document.querySelector(".three_words")?.textContent ?? ""));
  await page.locator('[data-pane="axial"]').focus();
  await page.keyboard.press("ArrowDown");
  assert.deepEqual(await check(), []);
  await browser.close();
  await server.close();
});
