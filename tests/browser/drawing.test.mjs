// What the viewer draws is what the server draws of the same slice: after scrolling, through every window, with masks,
// with a difference, in six orientations and of a DICOM series.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";

import { command, corpus, in_folder, launch, open_case, serve, settled, watched_page } from "./browser.mjs";

const bar = 8;
const tests = dirname(dirname(fileURLToPath(import.meta.url)));
const name = "train_263_b_2";
const place = `/c/rexgroundingct/${name}`;
let browser, work;

before(async () => {
  work = in_folder();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  work.remove();
});

// Mean difference, of 255, between a pane and the server's PNG drawn in its place; within the picture.
async function difference(page, pane, query) {
  await settled(page);
  return page.evaluate(async ([id, words]) => {
    const viewer = document.querySelector(".case_page").viewer;
    const canvas = document.querySelector(`[data-pane="${id}"] canvas`);
    const shown = viewer.panes().find((one) => one.id === id);
    viewer.state = { ...viewer.state, crosshair: false };
    viewer.draw_now();
    const viewport = viewer.attach(shown, canvas);
    const { plane } = viewport;
    const { centre_hu, width_hu } = viewer.state.window;
    const image = new Image();
    image.src = `${viewer.source.volume.base}/slice/${plane.name}/${viewer.slice_of(shown)}.png?l=${centre_hu}&w=${width_hu}${words}`;
    await image.decode();
    if (image.width !== plane.columns || image.height !== plane.rows) throw new Error(`${image.width} x ${image.height} pixels`);
    const ratio = canvas.width / canvas.clientWidth;
    const corner = viewport.pixel({ column: 0, row: 0 });
    const far = viewport.pixel({ column: plane.columns, row: plane.rows });
    const [x0, y0, x1, y1] = [corner.x, corner.y, far.x, far.y].map((n) => n * ratio);
    const own = document.createElement("canvas");
    own.width = canvas.width;
    own.height = canvas.height;
    const pen = own.getContext("2d");
    pen.fillRect(0, 0, own.width, own.height);
    pen.drawImage(image, x0, y0, x1 - x0, y1 - y0);
    const box = [Math.ceil(x0), Math.ceil(y0), Math.floor(x1) - Math.ceil(x0), Math.floor(y1) - Math.ceil(y0)];
    const a = canvas.getContext("2d").getImageData(...box).data;
    const b = pen.getImageData(...box).data;
    let sum = 0;
    let lit = 0;
    for (let i = 0; i < a.length; ++i) {
      if (i % 4 === 3) continue;
      sum += Math.abs(a[i] - b[i]);
      if (a[i] > 20) ++lit;
    }
    return { mean: sum / ((a.length / 4) * 3), lit: lit / ((a.length / 4) * 3) };
  }, [pane, query]);
}

async function expect_equal(page, pane, query, what) {
  const { mean, lit } = await difference(page, pane, query);
  assert.ok(mean <= bar, `${what}: mean difference ${mean}`);
  assert.ok(lit > 0.02, `${what}: the picture is black`);
  return mean;
}

const set = (page, state) => page.evaluate((changes) => document.querySelector(".case_page").viewer.set({ hidden: new Set(changes.hide ?? []), ...changes }), state);

test("slices equal the server's own after scroll, window, masks and difference", async () => {
  const server = await serve([corpus]);
  const { page, check } = await watched_page(browser, server.address);
  await open_case(page, server.address, `${place}?finding=1&run=weak&show=reference&w=lung`);
  const means = [];
  const all = await page.evaluate(() => document.querySelector(".case_page").viewer.source.findings.map((finding) => finding.index));
  const plain = { overlay: false };
  for (const pane of ["axial", "coronal", "sagittal"]) {
    await set(page, plain);
    means.push(await expect_equal(page, pane, "", `${pane} alone`));
    await page.focus(`[data-pane="${pane}"]`);
    await page.keyboard.press("PageDown");
    means.push(await expect_equal(page, pane, "", `${pane} after a scroll`));
    for (const key of ["1", "3"]) {
      await page.keyboard.press(key);
      means.push(await expect_equal(page, pane, "", `${pane} with window ${key}`));
    }
    await page.keyboard.press("2");
    await page.keyboard.press("PageUp");
    await set(page, { overlay: true });
    means.push(await expect_equal(page, pane, `&masks=${all.map((index) => `reference:${index}`).join(",")}&mode=fill`, `${pane} with masks`));
    await set(page, { show: "difference", hide: all.filter((index) => index !== 1) });
    means.push(await expect_equal(page, pane, "&masks=reference:1,run:weak:1&mode=diff", `${pane} with a difference`));
    await set(page, { show: "reference" });
  }
  console.log(`mean difference: largest ${Math.max(...means).toFixed(2)} of 255 over ${means.length} pictures`);
  assert.deepEqual(await check(), []);
  await page.close();
  await server.close();
});

// The dataset with one CT, which is written by the given command to the given place.
function corpus_with_ct(title, write) {
  const folder = join(work.folder, "served", title);
  mkdirSync(join(folder, "segmentations"), { recursive: true });
  mkdirSync(join(folder, "volumes"));
  copyFileSync(join(corpus, "demo/rexgroundingct/dataset.json"), join(folder, "dataset.json"));
  write(join(folder, "volumes"));
}

test("CTs in six orientations and a DICOM series are drawn as the server draws them, with their letters", async () => {
  const orientations = ["RAS", "LAS", "PSR", "ILA", "SPL", "AIR"];
  const volumes = join(corpus, "demo/rexgroundingct/volumes");
  const file = readdirSync(volumes, { recursive: true }).map(String).find((one) => one.endsWith(`${name}.nii.gz`));
  for (const axes of orientations) {
    corpus_with_ct(axes, (folder) => command("convert", join(volumes, file), join(folder, `${name}.nii.gz`), "--orient", axes));
  }
  // Rows from the front to the back, one below the other; slices are sorted along their normal, to the right.
  const series = ["--size", "64,48", "--slices", "20", "--orientation", "0,1,0,0,0,-1", "--step", "2,0,0"];
  corpus_with_ct("dicom", (folder) => execFileSync("python3", ["-m", "fixtures", "dicom", join(folder, name), ...series], { cwd: tests }));
  const server = await serve([join(work.folder, "served")]);
  const { page, check } = await watched_page(browser, server.address);
  for (const title of [...orientations, "dicom"]) {
    await page.goto(`${server.address}/c/${title}/${name}`);
    await page.waitForFunction(() => document.querySelector(".case_page")?.viewer?.volume?.whole).catch(async () => {
      assert.fail(`${title}: ${await page.evaluate(() => document.querySelector("main").innerText)}`);
    });
    const axes = await page.evaluate(() => document.querySelector(".case_page").viewer.volume.meta.axes.join(""));
    assert.equal(axes, title === "dicom" ? "PIR" : title);
    for (const [pane, left, top] of [["axial", "R", "A"], ["coronal", "R", "S"], ["sagittal", "A", "S"]]) {
      await expect_equal(page, pane, "", `${title} ${pane}`);
      assert.equal(await page.locator(`[data-pane="${pane}"] .at_left`).innerText(), left);
      assert.equal(await page.locator(`[data-pane="${pane}"] .at_top`).innerText(), top);
    }
  }
  const faults = (await check()).filter((fault) => !fault.includes("Failed to load resource")); // these have no masks
  assert.deepEqual(faults, []);
  await page.close();
  await server.close();
});
