// What it costs to have the masks of a case in the browser: the container as the server sends it, decoded by the app's own code.
// usage: node decode_runs.mjs CONTAINER     prints milliseconds of processor time and megabytes held
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const web = join(dirname(dirname(fileURLToPath(import.meta.url))), "web");
const folder = mkdtempSync(join(tmpdir(), "fiducial-bench-"));
writeFileSync(join(folder, "package.json"), '{"type": "module"}\n');
execFileSync(process.execPath, [join(web, "node_modules/typescript/bin/tsc"), "-p", join(web, "tsconfig.test.json"), "--outDir", folder]);
const { decode_runs } = await import(pathToFileURL(join(folder, "viewer/runs.js")).href);
rmSync(folder, { recursive: true });

const container = new Uint8Array(readFileSync(process.argv[2]));
const repeats = 50;
let masks = [];
for (let i = 0; i < repeats; ++i) masks = decode_runs(container).masks; // the code warms up
const before = process.cpuUsage();
for (let i = 0; i < repeats; ++i) masks = decode_runs(container).masks;
const spent = process.cpuUsage(before);
console.log(`${((spent.user + spent.system) / 1000 / repeats).toFixed(2)} ms CPU decoding`);
console.log(`${(masks.reduce((sum, mask) => sum + mask.bytes, 0) / 1e6).toFixed(2)} MB of memory`);
