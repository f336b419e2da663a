import assert from "node:assert/strict";
import test from "node:test";

import { load, random_from } from "./modules.mjs";

const { noted_columns, finding_said } = await load("lib/noted_text");

const notes = (text, marks) => ({ texts: [{ column: "F", text }], marks: marks.map((mark) => ({ stage: "s", text: "F", kind: "finding", label: "", detail: null, organs: [], ...mark })), chains: [], stages: [], problems: [] });

test("sentences join to the text, and each mark lies on its words", () => {
  const random = random_from(11);
  for (let round = 0; round < 200; ++round) {
    const text = "Äb cd. Ef gh. Üj kl.".repeat(1 + Math.floor(random() * 3));
    const bytes = new TextEncoder().encode(text);
    const starts = [...text.matchAll(/\S+/g)];
    const marks = Array.from({ length: 5 }, () => {
      const word = starts[Math.floor(random() * starts.length)];
      const begin = new TextEncoder().encode(text.slice(0, word.index)).length;
      return { begin, end: begin + new TextEncoder().encode(word[0]).length, label: word[0] };
    });
    const [{ sentences }] = noted_columns(notes(text, marks));
    assert.equal(sentences.map((sentence) => sentence.text).join(""), text);
    const found = sentences.flatMap((sentence) => sentence.spans.map((span) => [span.label, sentence.text.slice(span.start, span.end)]));
    assert.equal(found.length, marks.length);
    for (const [label, words] of found) assert.equal(words, label);
    assert.ok(bytes.length > text.length);
  }
});

test("sentences are cut where a stage cut them, and regions are of whole sentences", () => {
  const [{ sentences }] = noted_columns(notes("One. two; Three", [{ kind: "sentence", begin: 0, end: 9 }, { kind: "sentence", begin: 9, end: 15 }, { kind: "region", begin: 10, end: 15, label: "lung" }]));
  assert.deepEqual(sentences.map((sentence) => sentence.text), ["One. two;", " Three"]);
  assert.deepEqual(sentences.map((sentence) => sentence.regions.map((mark) => mark.label)), [[], ["lung"]]);
});

test("a text without marks is cut behind full stops", () => {
  const [{ sentences }] = noted_columns(notes("A nodule of 3.5 mm. No effusion.", []));
  assert.deepEqual(sentences.map((sentence) => sentence.text), ["A nodule of 3.5 mm. ", "No effusion."]);
});

test("a sentence states the finding with the same words, and none where two fit alike", () => {
  const findings = [{ index: 0, text: "Right pleural effusion." }, { index: 1, text: "Solid nodule measuring 18 mm in the left upper lobe." }];
  assert.equal(finding_said("A solid nodule measuring 18 mm in diameter is observed in the left upper lobe", findings), 1);
  assert.equal(finding_said("The heart is normal.", findings), null);
  assert.equal(finding_said("Right pleural effusion", [findings[0], { ...findings[0], index: 5 }]), null);
});
