// What every page has to pass: two sizes, two colours, axe, a walk by keyboard, nothing wider than the window.
import assert from "node:assert/strict";

import { violations, watched_page } from "./browser.mjs";

export const screens = [
  { name: "desk, dark", viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  { name: "phone, light", viewport: { width: 390, height: 844 }, colorScheme: "light" },
];

// Until no request has been under way for a tenth of a second.
async function nothing_awaited(page) {
  const quiet_ms = 100, step_ms = 20;
  for (let quiet = 0; quiet < quiet_ms; quiet = page.under_way.size === 0 ? quiet + step_ms : 0) await page.waitForTimeout(step_ms);
}

// Until nothing on the page waits for an answer.
export async function arrived(page) {
  await page.waitForSelector("h1");
  await page.waitForFunction(() => !/^Loading /m.test(document.querySelector("main")?.innerText ?? "") && !document.querySelector(".skeleton"));
  await nothing_awaited(page);
}

export async function open(page, address, path) {
  await page.goto(address + path);
  await arrived(page);
}

// Goes round with the Tab key: focus moves on, is seen, and leaves no trap.
export async function keyboard_walk(page, steps = 24) {
  await page.evaluate(() => document.activeElement?.blur());
  const seen = new Set();
  for (let i = 0; i < steps; ++i) {
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      globalThis.walked ??= new Map();
      if (!globalThis.walked.has(element)) globalThis.walked.set(element, globalThis.walked.size);
      const style = getComputedStyle(element);
      const shown = style.outlineStyle !== "none" || element.closest("svg") !== null;
      return { number: globalThis.walked.get(element), shown, what: element.outerHTML.slice(0, 120) };
    });
    if (!focus) break;
    assert.ok(focus.shown, `focus cannot be seen on ${focus.what}`);
    seen.add(focus.number);
  }
  return seen.size;
}

export async function no_wider_than_the_window(page) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(over <= 0, `${over} pixels wider than the window`);
}

// Opens a page on every screen and holds it to all of this; `look` may ask for more.
export async function check_page(browser, address, path, { look = async () => {}, prepare = async () => {}, expect_faults = false, on = screens } = {}) {
  for (const { name, ...screen } of on) {
    const { page, check } = await watched_page(browser, address, screen);
    await prepare(page);
    await open(page, address, path);
    assert.deepEqual(await violations(page), [], `${path} on ${name}`);
    await no_wider_than_the_window(page);
    assert.match(await page.title(), /Fiducial$/);
    assert.equal(await page.locator("h1").count(), 1, `${path} has one main heading`);
    assert.ok((await keyboard_walk(page)) >= 4, `${path} on ${name}: the keyboard reaches too little`);
    await look(page);
    if (!expect_faults) assert.deepEqual(await check(), [], `${path} on ${name}`);
    if (process.env.FIDUCIAL_SHOTS) await page.screenshot({ path: `${process.env.FIDUCIAL_SHOTS}/${path.replace(/\W+/g, "_")}_${screen.viewport.width}.png` });
    await page.close();
  }
}
