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
const session = await page.context().newCDPSession(page);
const whole_browser = await last.browser.newBrowserCDPSession();
// CPU seconds of the tab and of the process that paints for it, without a GPU: wall time would count other programs.
const cpu_seconds = async () => {
  const { processInfo } = await whole_browser.send("SystemInfo.getProcessInfo");
  const of = (type) => Math.max(0, ...processInfo.filter((one) => one.type === type).map((one) => one.cpuTime));
  return { tab: of("renderer"), painting: of("GPU") };
};
const redraws = 150;
for (const show of ["reference", "difference"]) {
  await page.evaluate((wanted) => document.querySelector(".case_page").viewer.set({ show: wanted }), show);
  const before = await cpu_seconds();
  await page.evaluate(async (count) => {
    const viewer = document.querySelector(".case_page").viewer;
    for (let i = 0; i < count; ++i) {
      const [x, y, z] = viewer.state.at;
      viewer.state = { ...viewer.state, at: [120 + ((x + 1) % 270), 120 + ((y + 1) % 270), 60 + ((z + 1) % 180)] };
      viewer.draw_now();
      if (i % 10 === 0) await new Promise(requestAnimationFrame);
    }
  }, redraws);
  const spent = await cpu_seconds();
  const each = (name) => (((spent[name] - before[name]) * 1000) / redraws).toFixed(2);
  console.log(`redraw   ${each("tab")} ms of CPU in the tab, ${each("painting")} ms painting: three new slices, eight findings, ${show}`);
}
await session.send("HeapProfiler.collectGarbage");
const { usedSize, backingStorageSize = 0 } = await session.send("Runtime.getHeapUsage");
console.log(`memory   ${((usedSize + backingStorageSize) / 1e6).toFixed(0)} MB of JavaScript, ${(last.marks.bytes / 1e6).toFixed(0)} MB of it the CT`);
await last.browser.close();
await last.server.close();
