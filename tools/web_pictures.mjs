// Takes pictures of the web app's main pages; tools/web_pictures.py prepares what they show.
// usage: FIDUCIAL=COMMAND node web_pictures.mjs SERVED_FOLDER PICTURES_FOLDER
import { join } from "node:path";

import { launch, serve, watched_page } from "../tests/browser/browser.mjs";

const [served, pictures] = process.argv.slice(2);
const server = await serve([served]);
const browser = await launch();
const ask = async (path) => (await fetch(`${server.address}/api/v1/${path}`)).json();
const { items: runs } = await ask("runs");
const run_of = (task, system) => runs.find((run) => run.task === task && run.system === system).id;
const good = run_of("finding_masks", "good");
const weak = run_of("finding_masks", "weak");
const { items: questions } = await ask("datasets/medthinkvqa/cases?split=test");
const question = questions.find((row) => row.counts.images >= 4)?.id ?? questions[0].id;

const pages = [
  { name: "web_home", path: "/" },
  { name: "web_case", path: `/c/rexgroundingct/train_263_b_2?finding=1&run=${weak}&show=diff`, wait: ".pane canvas" },
  { name: "web_question", path: `/c/medthinkvqa/${question}`, wait: ".picture canvas" },
  { name: "web_run", path: `/r/${weak}` },
  { name: "web_compare", path: `/compare?runs=${good},${weak}`, colorScheme: "light" },
];
for (const { name, path, wait, colorScheme = "dark" } of pages) {
  const { page, check } = await watched_page(browser, server.address, { colorScheme, viewport: { width: 1280, height: 800 } });
  await page.goto(server.address + path);
  if (wait) await page.waitForSelector(wait);
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(2000); // the crosshair has dimmed by then
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  const faults = await check();
  if (faults.length > 0) throw new Error(`${path}: ${faults.join("; ")}`);
  await page.close();
}
await browser.close();
await server.close();
