import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { load } from "./modules.mjs";

const { decode_runs, RunsError, MaskBuilder } = await load("viewer/runs");
const { difference, united } = await load("viewer/mask_algebra");

// The pairs of tests/web/encode_masks.cpp.
function* pairs() {
  const bytes = readFileSync(process.env.FIDUCIAL_MASKS);
  let at = 0;
  const number = () => bytes.readUInt32LE((at += 4) - 4);
  const take = (count) => bytes.subarray(at, (at += count));
  while (at < bytes.length) {
    const extent = [number(), number(), number()];
    const count = extent[0] * extent[1] * extent[2];
    yield { extent, a: take(count), b: take(count), pair: take(number()), parts: take(number()) };
  }
}

function dense(mask, [nx, ny, nz]) {
  const out = Buffer.alloc(nx * ny * nz);
  for (let z = 0; z < nz; ++z) {
    for (let y = 0; y < ny; ++y) {
      for (let x = 0; x < nx; ++x) out[x + nx * (y + ny * z)] = mask.contains([x, y, z]) ? mask.entity_at([x, y, z]) || 1 : 0;
    }
  }
  return out;
}

const runs_of = (mask) => ({ box: mask.box, begin: [...mask.begin], end: [...mask.end], voxels: mask.voxels });
const skip = process.env.FIDUCIAL_MASKS ? false : "no masks written by C++";

test("what C++ encodes is what is decoded, voxel for voxel", { skip }, () => {
  let count = 0;
  for (const { extent, a, b, pair } of pairs()) {
    const set = decode_runs(pair);
    assert.deepEqual(set.extent, extent);
    assert.deepEqual(set.masks.map((mask) => mask.id), [7, 0]);
    assert.ok(dense(set.masks[0], extent).equals(a), `seed ${count}`);
    assert.ok(dense(set.masks[1], extent).equals(b), `seed ${count}`);
    ++count;
  }
  assert.equal(count, 1000);
});

test("the difference of two masks is that of the core", { skip }, () => {
  for (const { pair, parts } of pairs()) {
    const [a, b] = decode_runs(pair).masks;
    const found = difference(a, b);
    const wanted = decode_runs(parts).masks;
    // Entities cut runs that the core's masks do not have; the voxels are the same.
    const plain = (mask) => {
      const builder = new MaskBuilder();
      const { low, high } = mask.box;
      for (let z = low[2]; z < high[2]; ++z) {
        for (let y = low[1]; y < high[1]; ++y) {
          const { from, to } = mask.row(y, z);
          for (let i = from; i < to; ++i) builder.add({ y, z, begin: mask.begin[i], end: mask.end[i] });
        }
      }
      return runs_of(builder.build(0));
    };
    [found.both, found.missed, found.extra].forEach((mask, i) => assert.deepEqual(plain(mask), runs_of(wanted[i])));
    assert.equal(united(a, b).voxels, found.both.voxels + found.missed.voxels + found.extra.voxels);
  }
});

test("a container that is cut anywhere is refused, with the byte", { skip }, () => {
  const { pair } = pairs().next().value;
  for (let length = 0; length < pair.length; ++length) {
    assert.throws(() => decode_runs(pair.subarray(0, length)), (error) => error instanceof RunsError && error.offset <= length);
  }
  assert.throws(() => decode_runs(Buffer.concat([pair, Buffer.from([0])])), RunsError);
});

test("a container that was changed in one byte is refused or stays inside its grid", { skip }, () => {
  let refused = 0;
  const { pair } = pairs().next().value;
  for (let at = 0; at < pair.length; ++at) {
    for (const flip of [1, 128, 255]) {
      const changed = Buffer.from(pair);
      changed[at] ^= flip;
      try {
        const set = decode_runs(changed);
        for (const mask of set.masks) assert.ok(mask.box.high.every((n, axis) => n <= set.extent[axis]));
      } catch (error) {
        assert.ok(error instanceof RunsError, String(error));
        ++refused;
      }
    }
  }
  assert.ok(refused > pair.length);
});
