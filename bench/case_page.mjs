// What the page of a large CT costs in Chromium: first slice, masks, all of it, redraws, memory.
// usage: node case_page.mjs FIDUCIAL LARGE_CASE [LAUNCHES]     (LARGE_CASE: what large_case.py wrote, scored into scores/)
import { resolve } from "node:path";

const [command, folder, launches = "5"] = process.argv.slice(2);
process.env.FIDUCIAL = resolve(command);
const { launch, serve, watched_page } = await import("../tests/browser/browser.mjs");

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const place = "/c/dataset/train_79_a_1?finding=0&show=diff";

async function first_pictures() {
  const server = await serve([folder]); // a server that has decoded nothing
  const browser = await launch();
  const { page } = await watched_page(browser, server.address);
  page.setDefaultTimeout(60000);
  await page.goto(server.address + place);
  await page.waitForFunction(() => document.querySelector(".case_page")?.viewer?.volume?.whole);
  const marks = await page.evaluate(() => {
    const viewer = document.querySelector(".case_page").viewer;
    const at = (name) => performance.getEntriesByName(name)[0]?.startTime ?? NaN;
    return { picture: at("fiducial:first_picture"), slab: at("fiducial:first_slab"), masks: at("fiducial:masks"), whole: performance.now(), bytes: viewer.volume.bytes };
  });
  return { server, browser, page, marks };
}

const rows = [];
let last;
for (let i = 0; i < Number(launches); ++i) {
  if (last !== undefined) {
    await last.browser.close();
    await last.server.close();
  }
  last = await first_pictures();
  rows.push(last.marks);
}
for (const name of ["picture", "slab", "masks", "whole"]) {
  console.log(`${name.padEnd(8)} ${median(rows.map((row) => row[name])).toFixed(0)} ms after navigation (median of ${launches})`);
}
const { page } = last;
await page.waitForTimeout(500);
const redraws = await page.evaluate(async () => {
  const viewer = document.querySelector(".case_page").viewer;
  const out = {};
  for (const show of ["reference", "difference"]) {
    viewer.set({ show });
    const times = [];
    for (let i = 0; i < 150; ++i) {
      const [x, y, z] = viewer.state.at;
      viewer.state = { ...viewer.state, at: [120 + ((x + 1) % 270), 120 + ((y + 1) % 270), 60 + ((z + 1) % 180)] };
      const started = performance.now();
      viewer.draw_now();
      times.push(performance.now() - started);
      if (i % 10 === 0) await new Promise(requestAnimationFrame);
    }
    times.sort((a, b) => a - b);
    out[show] = { median: times[75], p95: times[142] };
  }
  return out;
});
for (const [show, { median: middle, p95 }] of Object.entries(redraws)) {
  console.log(`redraw   ${middle.toFixed(2)} ms median, ${p95.toFixed(2)} ms p95: three planes, eight findings, ${show}`);
}
const session = await page.context().newCDPSession(page);
await session.send("HeapProfiler.collectGarbage");
const { usedSize, backingStorageSize = 0 } = await session.send("Runtime.getHeapUsage");
console.log(`memory   ${((usedSize + backingStorageSize) / 1e6).toFixed(0)} MB of JavaScript, ${(last.marks.bytes / 1e6).toFixed(0)} MB of it the CT`);
await last.browser.close();
await last.server.close();
