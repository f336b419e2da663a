import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

import { load } from "./modules.mjs";

const { key_table, gesture_table, key_name } = await load("viewer/keys");
const page = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "../../docs/keys.md"), "utf8");

test("docs/keys.md says what the table of keys says", () => {
  for (const { keys, words } of key_table) {
    const line = `| ${keys.map((key) => `\`${key_name(key)}\``).join(" ")} | ${words} |`;
    assert.ok(page.includes(line), line);
  }
  for (const { gesture, words } of gesture_table) assert.ok(page.includes(`| ${gesture} | ${words} |`), gesture);
});
