// Every text that the server sends may be an attack: none may become an element or run.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";

import { corpus, launch, serve, watched_page } from "./browser.mjs";
import { arrived } from "./page_checks.mjs";

let server, browser;
before(async () => {
  server = await serve([corpus]);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const acts = ["globalThis.hurt=1", "globalThis['hurt']=1"];
const shells = [
  (act) => `<script>${act}</script>`, (act) => `"><script>${act}</script>`, (act) => `</title><script>${act}</script>`,
  (act) => `<img src=x onerror=${act}>`, (act) => `'><img src=x onerror=${act}>`, (act) => `<svg onload=${act}>`,
  (act) => `<svg><script>${act}</script></svg>`, (act) => `<iframe srcdoc="<script>parent.${act}</script>">`,
  (act) => `<body onload=${act}>`, (act) => `<details open ontoggle=${act}>`, (act) => `<input autofocus onfocus=${act}>`,
  (act) => `<video><source onerror=${act}></video>`, (act) => `<a href="javascript:${act}">x</a>`, (act) => `javascript:${act}`,
  (act) => `[x](javascript:${act})`, (act) => `![x](x" onerror="${act})`, (act) => `\`\`\`\n<script>${act}</script>`,
  (act) => `<math><mtext><img src=x onerror=${act}>`, (act) => `<style>@import 'javascript:${act}'</style>`,
  (act) => `<object data="javascript:${act}">`, (act) => `<embed src="javascript:${act}">`, (act) => `<form action="javascript:${act}"><button>`,
  (act) => `<base href="//evil.example/">${act}`, (act) => `<meta http-equiv=refresh content="0;url=javascript:${act}">`,
  (act) => `{{constructor.constructor('${act}')()}}`, (act) => `\${${act}}`, (act) => `<template><script>${act}</script></template>`,
  (act) => `<marquee onstart=${act}>`, (act) => `<x contenteditable onblur=${act} tabindex=1 id=x>`, (act) => `<link rel=stylesheet href="javascript:${act}">`,
];
const twists = [(text) => text, (text) => text.toUpperCase(), (text) => text.replaceAll("<", "\u003c\u0000"), (text) => `${"ä".repeat(40)}${text}`, (text) => `\u202e${text}`];
const hostile = twists.flatMap((twist) => acts.flatMap((act) => shells.map((shell) => twist(shell(act)))));

// What the app chooses by stays as it is; every other text is replaced.
const kept = new Set(["id", "run", "kind", "case_id", "url", "thumb", "base", "dataset", "benchmark", "task", "letter", "key", "status", "severity", "better", "direction", "mode", "next", "previous", "scorer", "counted", "unit", "axes", "coding"]);
function poisoned(value, name, next) {
  if (typeof value === "string") return kept.has(name) ? value : next();
  if (Array.isArray(value)) return value.map((each) => poisoned(each, name, next));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, poisoned(each, key, next)]));
}

test("a corpus of 300 hostile texts in every text field runs nothing, adds nothing and is refused nothing", async () => {
  assert.ok(hostile.length >= 300);
  const at = await (await fetch(`${server.address}/api/v1/info`)).json();
  const first = async (dataset) => (await (await fetch(`${server.address}/api/v1/datasets/${dataset}/cases?limit=1&split=test`)).json()).items[0]?.id;
  const runs = at.runs.filter((run) => run.task === "finding_masks").map((run) => run.id);
  const paths = ["/", "/d/rexgroundingct", "/d/rexgroundingct/cases", "/d/medthinkvqa", "/d/radgenome", `/r/${runs[0]}`, `/r/${runs[0]}/rows?metric=dice`, `/compare?runs=${runs.slice(0, 2)}`, "/help/metrics", "/help/metrics/dice", "/api"];
  for (const dataset of at.datasets) {
    const id = await first(dataset.id);
    if (id) paths.push(`/c/${dataset.id}/${id}`);
  }
  let used = 0;
  const next = () => hostile[used++ % hostile.length];
  const { page, check } = await watched_page(browser, server.address);
  await page.route("**/api/v1/**", async (route) => {
    const answer = await route.fetch();
    if (!/json/.test(answer.headers()["content-type"] ?? "")) return route.fulfill({ response: answer });
    return route.fulfill({ response: answer, json: poisoned(await answer.json(), "", next) });
  });
  page.on("dialog", (dialog) => assert.fail(`a dialog: ${dialog.message()}`));
  for (const path of paths) {
    await page.goto(server.address + path);
    await arrived(page);
    assert.equal(await page.evaluate(() => globalThis.hurt), undefined, path);
    const added = await page.evaluate(() => document.querySelectorAll("main script, iframe, object, embed, base, marquee, main style, main link, main form[action], [onerror], [onload], a[href^='javascript:' i]").length);
    assert.equal(added, 0, path);
  }
  assert.ok(used > 1000, `${used} texts`);
  const faults = (await check()).filter((fault) => !/Failed to load resource/.test(fault));
  assert.deepEqual(faults, []);
});
