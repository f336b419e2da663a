// A question with its images, and a scan with its tables.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";

import { address_says, corpus, launch, serve, watched_page } from "./browser.mjs";
import { arrived, check_page, open } from "./page_checks.mjs";

let server, browser, question, tables;
const first_case = async (dataset, wanted = () => true) => {
  const found = await (await fetch(`${server.address}/api/v1/datasets/${dataset}/cases?limit=100`)).json();
  return `/c/${dataset}/${found.items.find(wanted).id}`;
};
before(async () => {
  server = await serve([corpus]);
  browser = await launch();
  question = await first_case("medthinkvqa", (row) => row.split === "test" && row.counts.images > 2);
  tables = `${await first_case("radgenome")}?as=tables`;
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test("a question passes on every screen", () => check_page(browser, server.address, question));
test("the tables of a scan pass on every screen", () => check_page(browser, server.address, tables));

const pixel = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector(".picture canvas");
    const { data } = canvas.getContext("2d").getImageData(canvas.width / 2, canvas.height / 2, 1, 1);
    return data[0];
  });
const drawn = (page) => page.waitForFunction(() => document.querySelector(".picture canvas")?.width > 30);

const shown = (page, number) => page.waitForFunction((wanted) => document.querySelector(".picture")?.dataset.picture?.endsWith(`/images/${wanted}`), number);

test("an image that fails is said, and no other is seen in its place", async () => {
  const { page } = await watched_page(browser, server.address);
  await page.route("**/images/2", (route) => route.fulfill({ status: 503, body: "" }));
  await open(page, server.address, question);
  await shown(page, 1);
  await page.keyboard.press("n");
  assert.match(await page.locator(".picture_failed").innerText(), /503/);
  assert.equal(await page.locator(".picture canvas").isVisible(), false);
  await page.keyboard.press("p");
  await shown(page, 1);
  assert.equal(await page.locator(".picture canvas").isVisible(), true);
});

test("keys go through the images, invert them and hide the key", async () => {
  const { page, check } = await watched_page(browser, server.address);
  await open(page, server.address, question);
  await drawn(page);
  await page.keyboard.press("n");
  await address_says(page, "image", "2");
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await shown(page, 1);
  const before_key = await pixel(page);
  await page.keyboard.press("i");
  assert.equal(await pixel(page), 255 - before_key);
  assert.equal(await page.getByText("✓ key").count(), 1);
  await page.keyboard.press("h");
  await address_says(page, "key", "hidden");
  assert.equal(await page.getByText("✓ key").count(), 0);
  assert.equal(await page.locator("#answers").count(), 0);
  assert.deepEqual(await check(), []);
});

test("a window on the grey values changes the picture, and 0 takes it back", async () => {
  const { page } = await watched_page(browser, server.address);
  await open(page, server.address, question);
  await drawn(page);
  const whole = await pixel(page);
  await page.getByLabel("width").fill("40");
  await page.getByLabel("level").fill("250");
  assert.notEqual(await pixel(page), whole);
  await page.locator(".picture").click();
  await page.keyboard.press("0");
  assert.equal(await pixel(page), whole);
});

test("forty-nine images are one strip, and the one that is shown is in sight", async () => {
  const { page, check } = await watched_page(browser, server.address);
  await page.route("**/api/v1/cases/medthinkvqa/*", async (route) => {
    const record = await (await route.fetch()).json();
    const { images } = record.question;
    record.question.images = Array.from({ length: 49 }, (_, i) => ({ ...images[i % images.length], slot: i + 1 }));
    await route.fulfill({ json: record });
  });
  await open(page, server.address, question);
  await drawn(page);
  await page.keyboard.press("End");
  await address_says(page, "image", "49");
  const last = page.locator(".film li").nth(48);
  await page.waitForFunction(() => {
    const film = document.querySelector(".film").getBoundingClientRect();
    const box = document.querySelector(".film li:nth-child(49)").getBoundingClientRect();
    return box.left >= film.left - 1 && box.right <= film.right + 1;
  });
  assert.equal(await last.getByRole("button").getAttribute("aria-current"), "true");
  assert.deepEqual(await check(), []);
});

test("the wheel zooms with Ctrl and goes through the images without", async () => {
  const { page } = await watched_page(browser, server.address);
  await open(page, server.address, question);
  await drawn(page);
  const width = () => page.evaluate(() => document.querySelector(".picture canvas").getBoundingClientRect().width);
  const before_zoom = await width();
  await page.locator(".picture").hover();
  await page.mouse.wheel(0, 120);
  await shown(page, 2);
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  assert.ok((await width()) > before_zoom);
});

test("two fingers zoom, keys pan", async () => {
  const { page, check } = await watched_page(browser, server.address);
  await open(page, server.address, question);
  await drawn(page);
  const box = () => page.evaluate(() => (({ left, width }) => ({ left, width }))(document.querySelector(".picture canvas").getBoundingClientRect()));
  const { left, top, width, height } = await page.evaluate(() => document.querySelector(".picture").getBoundingClientRect().toJSON());
  const fingers = (apart) => [-apart, apart].map((dx, id) => ({ id, x: left + width / 2 + dx, y: top + height / 2 }));
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  const before = await box();
  for (const [type, touchPoints] of [["touchStart", fingers(40)], ["touchMove", fingers(60)], ["touchMove", fingers(80)], ["touchEnd", []]]) {
    await session.send("Input.dispatchTouchEvent", { type, touchPoints });
  }
  await page.waitForFunction((width) => Math.abs(document.querySelector(".picture canvas").getBoundingClientRect().width / width - 2) < 0.1, before.width);
  const zoomed = await box();
  await page.keyboard.press("Shift+ArrowLeft");
  assert.equal(Math.round((await box()).left - zoomed.left), 40);
  assert.deepEqual(await check(), []);
});

test("the answer of another run is one click away, with what the parser took marked", async () => {
  const { page } = await watched_page(browser, server.address);
  await open(page, server.address, question);
  const runs = page.getByRole("group", { name: "whose answer is shown" }).getByRole("button");
  assert.ok((await runs.count()) >= 2);
  await runs.nth(1).click();
  await page.waitForURL(/run=/);
  assert.equal(await runs.nth(1).getAttribute("aria-pressed"), "true");
  assert.equal(await page.locator("mark.mark_taken").count(), 1);
  assert.match(await page.locator("mark.mark_taken").innerText(), /[A-E]/);
  assert.equal(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight), 0);
});

test("a judge's verdicts stand beside the steps, in words as well as in colour", async () => {
  const { page } = await watched_page(browser, server.address);
  await open(page, server.address, question);
  await page.getByRole("group", { name: "whose answer is shown" }).getByRole("button", { name: /^good/ }).click();
  const verdicts = await page.locator(".judged li").allInnerTexts();
  assert.match(verdicts[0], /false.*The first step[^]*Image Understanding/);
  assert.match(verdicts[1], /factual[^]*critical[^]*The second step/);
});

test("a region narrows the questions to its own", async () => {
  const { page, check } = await watched_page(browser, server.address);
  await open(page, server.address, tables);
  const all = await page.locator(".family tbody tr").count();
  await page.locator(".sentences button").first().click();
  await page.waitForURL(/region=/);
  await arrived(page);
  assert.ok((await page.locator(".family tbody tr").count()) < all);
  assert.deepEqual(await check(), []);
});
