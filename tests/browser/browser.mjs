// What every browser test needs: a demo, a server on a free port, Chromium, and a page that is watched.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const web = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), "web");
const need = createRequire(join(web, "package.json"));
export const fiducial = process.env.FIDUCIAL;
export const chromium_path = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));

// The corpus is written once for all files, by run.mjs.
export const corpus = process.env.FIDUCIAL_CORPUS;

// Serves folders until close(); resolves when the server answers.
export async function serve(paths, options = []) {
  const server = spawn(fiducial, ["serve", ...paths, "--port", "0", ...options], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const address = await new Promise((resolve, reject) => {
    const hear = (chunk) => {
      said += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (found) resolve(found[0]);
    };
    server.stdout.on("data", hear);
    server.stderr.on("data", hear);
    setTimeout(() => reject(new Error(`serve named no address: ${said}`)), 20000).unref();
    server.on("exit", (code) => reject(new Error(`serve ended with ${code}: ${said}`)));
  });
  return { address, pid: server.pid, close: () => new Promise((done) => (server.on("exit", done), server.kill("SIGTERM"))) };
}

export async function launch(more = []) {
  const { chromium } = need("playwright-core");
  const root = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: chromium_path, args: [...root, "--disable-background-networking", ...more] });
}

// A page with what went wrong on it: script errors, refusals of the content security policy, requests elsewhere.
export async function watched_page(browser, address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  page.setDefaultTimeout(10000);
  page.under_way = new Set(); // requests without an answer yet
  const faults = [];
  page.on("pageerror", (error) => faults.push(`script: ${error.stack ?? error.message}`));
  page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== address && !["data:", "blob:"].includes(url.protocol)) faults.push(`elsewhere: ${url}`);
    page.under_way.add(request);
  });
  for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => page.under_way.delete(request));
  await page.addInitScript(() => {
    globalThis.refused = [];
    document.addEventListener("securitypolicyviolation", (event) => globalThis.refused.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  const check = async () => [...faults, ...(await page.evaluate(() => globalThis.refused))];
  return { page, check };
}

// Opens a case and waits until its CT and the masks that are wanted are there.
export async function open_case(page, address, path) {
  await page.goto(address + path);
  await page.waitForFunction(() => {
    const viewer = document.querySelector(".case_page")?.viewer;
    return viewer?.volume?.whole && viewer.store.state("reference") === "there" && (viewer.state.run === null || viewer.store.state(`run:${viewer.state.run}`) === "there");
  });
  await settled(page);
}

// Two frames and the delay of the address.
export async function settled(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export async function address_says(page, name, value) {
  await page.waitForFunction(([key, wanted]) => new URLSearchParams(location.search).get(key) === wanted, [name, value], { timeout: 4000 });
}

// What axe finds against WCAG 2.0 to 2.2, levels A and AA, in words.
export async function violations(page) {
  const source = readFileSync(need.resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(source);
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const found = await page.evaluate((values) => globalThis.axe.run(document, { runOnly: { type: "tag", values } }), tags);
  return found.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map((node) => node.target.join(" ")).join(" | ")}`);
}

export function in_folder() {
  const folder = mkdtempSync(join(tmpdir(), "fiducial-browser-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export const command = (...words) => execFileSync(fiducial, words, { stdio: ["ignore", "pipe", "pipe"] });
