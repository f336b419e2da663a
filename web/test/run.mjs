// Compiles the app's modules and runs every *.test.mjs beside this file on them.
// usage: node run.mjs FOLDER [ENCODE_MASKS]
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const web = dirname(here);
const [folder, encode_masks] = process.argv.slice(2);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{"type": "module"}\n');
execFileSync(process.execPath, [join(web, "node_modules/typescript/bin/tsc"), "-p", join(web, "tsconfig.test.json"), "--outDir", folder], {
  stdio: "inherit",
});
const tests = readdirSync(here).filter((name) => name.endsWith(".test.mjs")).map((name) => join(here, name));
const env = { ...process.env, FIDUCIAL_MODULES: folder };
if (encode_masks !== undefined) {
  const dump = join(folder, "masks.bin");
  writeFileSync(dump, execFileSync(encode_masks, ["1000"], { maxBuffer: 1 << 28 }));
  env.FIDUCIAL_MASKS = dump;
}
process.exit(spawnSync(process.execPath, ["--test", ...tests], { env, stdio: "inherit" }).status ?? 1);
