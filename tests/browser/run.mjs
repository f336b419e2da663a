// Writes a demo corpus with scores and runs the browser tests on it.
// usage: node run.mjs FIDUCIAL [NAME...]     skips (status 77) without Chromium or the app's packages
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [command, ...names] = process.argv.slice(2);
const fiducial = resolve(command);

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}
if (!["/usr/bin/chromium", "/usr/bin/google-chrome"].some((path) => existsSync(path))) skip("no Chromium; Debian's package is chromium");
if (!existsSync(join(here, "../../web/node_modules/playwright-core"))) skip("no web/node_modules; ./dev setup gets them");

// Verdicts of a judge on what a reader wrote: the first step of each case is false.
function write_verdicts(predictions, file) {
  const lines = readFileSync(predictions, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const verdict = (step) => ({ step, is_factual: step > 1, is_critical: step === 2, explanation: "as the images show", error_types: step > 1 ? [] : ["Image Understanding Err"] });
  const records = lines.map(({ title }) => ({ title, explanation_steps: ["The first step.", "The second step."], explanation_steps_checks: [verdict(1), verdict(2)] }));
  writeFileSync(file, records.map((record) => JSON.stringify(record) + "\n").join(""));
}

// Grounded reports that are right, but told from the last sentence to the first: masks stay with their channels.
function write_reversed(from, to) {
  cpSync(from, to, { recursive: true });
  const file = join(to, "grounded_reports.jsonl");
  const reports = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const reversed = ({ sentences, ...rest }) => ({ ...rest, sentences: sentences.map(({ channel }, i) => ({ channel, text: sentences[sentences.length - 1 - i].text })) });
  writeFileSync(file, reports.map((report) => JSON.stringify(reversed(report)) + "\n").join(""));
}

const corpus = mkdtempSync(join(tmpdir(), "fiducial-browser-"));
const run = (...words) => execFileSync(fiducial, words, { cwd: corpus, stdio: ["ignore", "ignore", "inherit"] });
try {
  run("demo", "demo");
  for (const system of ["good", "weak"]) {
    run("score", "demo/rexgroundingct", `demo/systems/rexgroundingct/${system}`, "--volumes", "demo/rexgroundingct/volumes", "-o", `scores/${system}`);
  }
  write_verdicts(join(corpus, "demo/systems/medthinkvqa/good/predictions.jsonl"), join(corpus, "verdicts.jsonl"));
  for (const system of ["good", "guessing", "text-only"]) {
    const judged = system === "good" ? ["--verdicts", "verdicts.jsonl"] : [];
    run("score", "demo/medthinkvqa", `demo/systems/medthinkvqa/${system}/predictions.jsonl`, "--system", system, ...judged, "-o", `scores/answers/${system}`);
  }
  for (const system of ["careful", "blind"]) {
    run("score", "demo/curated/radgenome", `demo/systems/radgenome/${system}`, "-o", `scores/tables/${system}`);
  }
  write_reversed(join(corpus, "demo/systems/grounded-report/right"), join(corpus, "reports/reversed"));
  run("score", "demo/rexgroundingct", "reports/reversed", "--task", "grounded_reports", "-o", "scores/reports/reversed");
  run("run", "demo/medthinkvqa", "--model", "synthetic-reader", "--replay", "demo/journals/medthinkvqa.jsonl", "-o", "asked/unscored");
  const all = readdirSync(here).filter((name) => name.endsWith(".test.mjs"));
  const wanted = names.length === 0 ? all.filter((name) => !name.endsWith(".full.test.mjs")) : all.filter((name) => names.some((one) => name.startsWith(one)));
  const env = { ...process.env, FIDUCIAL: fiducial, FIDUCIAL_CORPUS: corpus };
  const done = spawnSync(process.execPath, ["--test", "--test-concurrency=2", ...wanted.map((name) => join(here, name))], { env, stdio: "inherit" });
  process.exitCode = done.status ?? 1;
} finally {
  rmSync(corpus, { recursive: true, force: true });
}
