// The page of a CT case: sentences lead into masks, voxels to names, keys and addresses to states.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";

import { address_says, corpus, launch, open_case, serve, settled, violations, watched_page } from "./browser.mjs";

let server, browser, page, check;
const place = "/c/rexgroundingct/train_263_b_2";

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
const state = () => viewer("const { at, finding, show, layout, window, run, versus, slab_mm } = viewer.state; return { at, finding, show, layout, window, run, versus, slab_mm };");

test("a click on a sentence lands inside its mask, and the address says so", async () => {
  await open_case(page, server.address, place);
  const count = await page.locator("[data-finding]").count();
  assert.ok(count >= 2);
  for (let i = count - 1; i >= 0; --i) {
    const index = await page.locator("[data-finding]").nth(i).getAttribute("data-finding");
    await page.locator("[data-finding]").nth(i).click();
    const at = await viewer("return viewer.state.at;");
    assert.ok(await viewer(`return viewer.store.mask("reference", ${index}).contains(viewer.state.at);`), `finding ${index} at ${at}`);
    await address_says(page, "at", at.join(","));
    await address_says(page, "finding", index);
  }
});

test("a link that names a finding only opens inside of it, on the difference to a run whose masks came first", async () => {
  await page.route("**/masks?set=reference", async (route) => {
    await page.waitForFunction(() => document.querySelector(".case_page")?.viewer?.store.state("run:weak") === "there");
    await route.continue();
  });
  await open_case(page, server.address, `${place}?finding=1&run=weak`);
  assert.ok(await viewer('return viewer.store.mask("reference", 1).contains(viewer.state.at);'));
  assert.equal((await state()).show, "difference");
  assert.equal((await state()).at[2], await viewer("return viewer.source.findings.find((finding) => finding.index === 1).largest_slice;"));
  await page.unroute("**/masks?set=reference");
});

test("a click on a voxel names everything there", async () => {
  await open_case(page, server.address, `${place}?finding=0&run=good&show=reference&view=axial`);
  const spot = await viewer(`
    const pane = viewer.panes()[0];
    const canvas = document.querySelector(".pane canvas");
    const viewport = viewer.attach(pane, canvas);
    const { column, row } = viewport.plane.screen(viewer.state.at);
    const { x, y } = viewport.pixel({ column: column + 0.5, row: row + 0.5 });
    const box = canvas.getBoundingClientRect();
    return { x: box.left + x, y: box.top + y };`);
  const before = (await state()).at;
  await viewer("viewer.set({ finding: null });");
  await page.mouse.click(spot.x, spot.y);
  assert.deepEqual((await state()).at, before);
  assert.equal((await state()).finding, 0);
  const named = await page.locator(".here li").allInnerTexts();
  assert.ok(named.some((words) => words.includes("reference")), named.join("; "));
});

test("a report of a run keeps its own sentences at its masks, and no finding takes its scores", async () => {
  await open_case(page, server.address, `${place}?run=reversed&show=diff&finding=0`);
  const named = await page.locator(".here li").allInnerTexts();
  assert.ok(named.some((words) => /^1 Right pleural effusion[^]*reference/.test(words)), named.join("; "));
  assert.ok(named.some((words) => /^s1 Patchy ground-glass[^]*reversed/.test(words)), named.join("; "));
  assert.equal(await page.locator(".score_table").count(), 0);
  await page.locator("[data-own]").last().click();
  assert.ok(await viewer('return viewer.store.mask("run:reversed", 2).contains(viewer.state.at);'));
  assert.equal((await state()).show, "prediction");
  assert.ok(await viewer('return viewer.mask_of(0) === viewer.store.mask("reference", 0);'));
  assert.deepEqual(await violations(page), []);
});

test("what is done by a mouse is done by keys: the crosshair, zoom, window and measures", async () => {
  await open_case(page, server.address, `${place}?at=60,80,50&view=axial&w=lung&run=good`);
  await page.focus('[data-pane="axial"]');
  for (const key of ["Shift+ArrowLeft", "Shift+ArrowDown", "Shift+ArrowDown"]) await page.keyboard.press(key);
  assert.deepEqual((await state()).at, [59, 82, 50]);
  for (const key of ["'", '"']) await page.keyboard.press(key);
  assert.deepEqual((await state()).window, { centre_hu: -580, width_hu: 1550 });
  await page.keyboard.press("+");
  assert.equal(await viewer("return viewer.state.zoom;"), 1.25);
  await page.keyboard.press("-");
  assert.equal(await viewer("return viewer.state.zoom;"), 1);
  await page.keyboard.press("l");
  await page.keyboard.press("Enter");
  for (let i = 0; i < 10; ++i) await page.keyboard.press("Shift+ArrowRight");
  assert.deepEqual(await viewer("return viewer.state.measures;"), []);
  await page.keyboard.press("Enter");
  const [measure] = await viewer("return viewer.state.measures;");
  assert.deepEqual(measure, { kind: "length", plane: "axial", slice: 50, from: { column: 59.5, row: 82.5 }, to: { column: 69.5, row: 82.5 } });
});

test("keys change window, slice, plane, what is shown, finding and slab", async () => {
  await open_case(page, server.address, `${place}?finding=0&run=good`);
  await page.focus('[data-pane="axial"]');
  const start = await state();
  await page.keyboard.press("1");
  assert.deepEqual((await state()).window, { centre_hu: 40, width_hu: 400 });
  await page.keyboard.press("ArrowDown");
  assert.equal((await state()).at[2], start.at[2] - 1);
  await page.keyboard.press("PageUp");
  assert.equal((await state()).at[2], start.at[2] + 9);
  await page.keyboard.press("d");
  assert.equal((await state()).show, "reference");
  await page.keyboard.press("n");
  assert.equal((await state()).finding, 1);
  await page.keyboard.press("t");
  assert.equal((await state()).slab_mm, 5);
  await page.keyboard.press("c");
  assert.equal((await state()).layout, "coronal");
  await page.keyboard.press("m");
  assert.equal((await state()).layout, "mpr");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
});

test("wheel and drags scroll, zoom, window and measure", async () => {
  await open_case(page, server.address, `${place}?view=axial&w=lung`);
  const start = await state();
  const box = await page.locator(".pane").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 100);
  await page.waitForFunction((z) => document.querySelector(".case_page").viewer.state.at[2] === z, start.at[2] - 1);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(x + 50, y + 10, { steps: 3 });
  await page.mouse.up({ button: "right" });
  assert.deepEqual((await state()).window, { centre_hu: -560, width_hu: 1700 });
  await page.keyboard.press("l");
  await page.mouse.down();
  await page.mouse.move(x + 80, y, { steps: 3 });
  await page.mouse.up();
  const [measure] = await viewer("return viewer.state.measures;");
  assert.equal(measure.kind, "length");
  await page.waitForURL(/measures=length-axial-/);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -200);
  await page.keyboard.up("Control");
  await page.waitForFunction(() => document.querySelector(".case_page").viewer.state.zoom > 1);
});

test("two runs stand side by side and scroll together, or apart", async () => {
  await open_case(page, server.address, `${place}?finding=1&run=good&vs=weak`);
  const slices = () => page.locator(".pane").evaluateAll((panes) => panes.map((pane) => Number(pane.getAttribute("aria-valuenow"))));
  const [left, right] = await slices();
  assert.equal(left, right);
  await page.locator('[data-pane="right"]').hover();
  await page.mouse.wheel(0, 100);
  await settled(page);
  await page.waitForFunction((was) => Number(document.querySelector('[data-pane="left"]').getAttribute("aria-valuenow")) === was - 1, left);
  assert.deepEqual(await slices(), [left - 1, right - 1]);
  await page.keyboard.press("y");
  await page.mouse.wheel(0, 100);
  await page.waitForFunction((was) => Number(document.querySelector('[data-pane="right"]').getAttribute("aria-valuenow")) === was - 2, left);
  assert.deepEqual(await slices(), [left - 1, right - 2]);
  await address_says(page, "apart", "-1");
});

test("everything can be reached by the keyboard, and the focus is always to be seen", async () => {
  await open_case(page, server.address, place);
  await page.keyboard.press("Tab");
  const reached = new Set();
  for (let i = 0; i < 60; ++i) {
    const here = await page.evaluate(() => {
      const element = document.activeElement;
      const style = getComputedStyle(element);
      const seen = style.outlineStyle !== "none" || element.matches(".skip, body");
      return { name: element.dataset.pane ?? element.dataset.finding ?? element.textContent.trim().slice(0, 30), tag: element.tagName, seen };
    });
    assert.ok(here.seen, `no focus to be seen on ${here.tag} ${here.name}`);
    reached.add(here.name);
    await page.keyboard.press("Tab");
  }
  for (const wanted of ["axial", "coronal", "sagittal", "0", "1", "difference", "length", "3D"]) assert.ok(reached.has(wanted), `${wanted}: ${[...reached]}`);
});

const below_the_window = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);

test("axe finds nothing on the page of a case, wide and narrow, and the page itself does not scroll", async () => {
  await open_case(page, server.address, `${place}?finding=0&run=weak`);
  assert.equal(await below_the_window(), 0);
  await open_case(page, server.address, `${place}?finding=0&run=good&show=diff`);
  assert.deepEqual(await violations(page), []);
  await page.setViewportSize({ width: 390, height: 844 });
  await open_case(page, server.address, `${place}?finding=0`);
  assert.deepEqual(await violations(page), []);
  assert.equal(await page.locator(".pane").count(), 1);
  assert.equal(await below_the_window(), 0);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.setViewportSize({ width: 640, height: 400 }); // a desk's window at 200 %
  assert.ok(await page.evaluate(() => document.querySelector(".tab_body").clientHeight >= 150));
  assert.deepEqual(await violations(page), []);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test("those who hear the page hear slice, window, finding and score", async () => {
  await open_case(page, server.address, `${place}?finding=1&run=good`);
  await page.waitForFunction(() => /slice \d+ of \d+, lung window, finding 2: .*Dice 0\.\d\d/.test(document.querySelector("[aria-live=polite]")?.textContent ?? ""));
});

test("a mask set that fails is said, and the picture stays", async () => {
  await page.route("**/masks?set=run*", (route) => route.fulfill({ status: 503, contentType: "application/problem+json", body: '{"title":"busy","code":"unavailable"}' }));
  await page.goto(`${server.address}${place}?run=good&show=diff`);
  await page.waitForSelector(".volume_state button");
  assert.match(await page.locator(".volume_state").innerText(), /Masks of good did not come: busy/);
  await page.unroute("**/masks?set=run*");
  await page.click(".volume_state button");
  await page.waitForSelector(".volume_state", { state: "detached" });
});

test("a volume that stops half way is partial, says so and goes on", async () => {
  await page.route("**/slab/0?**", (route) => route.abort());
  await page.goto(`${server.address}${place}`);
  await page.waitForSelector(".volume_state .fault");
  assert.ok(await viewer("return viewer.volume.slabs_loaded >= 1 && !viewer.volume.whole;"));
  await page.unroute("**/slab/0?**");
  await page.click(".volume_state button");
  await page.waitForFunction(() => document.querySelector(".case_page").viewer.volume.whole);
});

test("a case without its CT still shows findings and says what is missing", async () => {
  const alone = await serve([`${corpus}/demo/curated`]);
  try {
    const { items } = await (await fetch(`${alone.address}/api/v1/datasets/rexgroundingct/cases`)).json();
    const { page: other } = await watched_page(browser, alone.address);
    await other.goto(`${alone.address}/c/rexgroundingct/${items[0].id}`);
    await other.waitForSelector(".no_volume");
    assert.ok((await other.locator(".no_volume").innerText()).includes("--volumes"));
    assert.match(await other.locator(".panel").innerText(), /No masks of these findings/);
  } finally {
    await alone.close();
  }
});

test("nothing was refused, nothing was fetched elsewhere, no script failed", async () => {
  await open_case(page, server.address, place);
  const faults = (await check()).filter((fault) => !/503|Failed to load resource|ERR_FAILED/.test(fault));
  assert.deepEqual(faults, []);
});
