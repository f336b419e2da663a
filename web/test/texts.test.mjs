import assert from "node:assert/strict";
import test from "node:test";

import { load, random_from } from "./modules.mjs";

const { pieces_of, places_of_bytes } = await load("lib/marks");
const { blocks_of, inlines_of } = await load("lib/markdown");
const { words_of } = await load("lib/words");

test("pieces of a marked text join to the text, and lie wholly in or out of each span", () => {
  const random = random_from(7);
  for (let round = 0; round < 300; ++round) {
    const text = "abcdefghij".repeat(1 + Math.floor(random() * 4));
    const spans = Array.from({ length: Math.floor(random() * 6) }, () => {
      const start = Math.floor(random() * (text.length + 8)) - 4;
      return { start, end: start + Math.floor(random() * 12) - 2, kind: "finding" };
    });
    const pieces = pieces_of(text, spans);
    assert.equal(pieces.map((piece) => piece.text).join(""), text);
    let at = 0;
    for (const piece of pieces) {
      for (const span of piece.spans) assert.ok(span.start <= at && span.end >= at + piece.text.length);
      at += piece.text.length;
    }
  }
});

test("byte offsets of the server become places in a text with letters beyond ASCII", () => {
  const text = "Größe 3 µm – Läsion 😀 rechts";
  const bytes = new TextEncoder().encode(text);
  const word = text.indexOf("rechts");
  const offset = new TextEncoder().encode(text.slice(0, word)).length;
  assert.deepEqual(places_of_bytes(text, [0, offset, bytes.length]), [0, word, text.length]);
  assert.deepEqual(places_of_bytes("plain", [2]), [2]);
});

test("a card becomes blocks; HTML in it stays text", () => {
  const blocks = blocks_of("---\nname: x\n---\n# Title\n\nOne\ntwo.\n\n- a\n- b\n\n| h | i |\n|---|---|\n| 1 | `2` |\n\n```\ncode\n```\n<script>alert(1)</script>");
  assert.deepEqual(blocks.map((block) => block.kind), ["heading", "paragraph", "list", "table", "code", "paragraph"]);
  assert.equal(blocks[1].text, "One two.");
  assert.deepEqual(blocks[3], { kind: "table", head: ["h", "i"], rows: [["1", "`2`"]] });
  assert.equal(blocks[5].text, "<script>alert(1)</script>");
});

test("reading blocks ends, whatever the lines are", () => {
  const random = random_from(11);
  const parts = ["#", " ", "`", "```", "|", "-", "*", "1.", "text", "\n", "\t", "---", "<b>"];
  for (let round = 0; round < 500; ++round) {
    blocks_of(Array.from({ length: 40 }, () => parts[Math.floor(random() * parts.length)]).join(""));
  }
});

test("only links to the web are links", () => {
  const kinds = (text) => inlines_of(text).map((part) => part.kind);
  assert.deepEqual(kinds("a [b](https://c.example) **d** `e`"), ["text", "link", "text", "strong", "text", "code"]);
  assert.deepEqual(kinds("[b](javascript:alert(1))"), ["text"]);
  assert.deepEqual(kinds("[b](//c.example)"), ["text"]);
});

test("names of files read as words", () => {
  assert.equal(words_of("dice_per_case"), "Dice, mean over cases");
  assert.equal(words_of("component_f1"), "Component F1");
  assert.equal(words_of("rouge_l_step1"), "ROUGE l step1");
  assert.equal(words_of(null), "");
});
