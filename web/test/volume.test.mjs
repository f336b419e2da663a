import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import test from "node:test";

import { load, random_from } from "./modules.mjs";

const { Volume, loading_order, absent_hu } = await load("viewer/volume");
const { VolumeLoader } = await load("viewer/volume_loader");
const { Plane, plane_names } = await load("viewer/plane");
const { decode_slab } = await load("viewer/slab_coding");

const affines = {
  LPS: [-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1],
  RAS: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1],
  PSR: [0, 0, 1, 0, -1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1],
  ILA: [0, -1, 0, 0, 0, 0, 1, 0, -2, 0, 0, 0, 0, 0, 0, 1],
  SPL: [0, 0, -1, 0, 0, -1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1],
  AIR: [0, 0, 1, 0, 1, 0, 0, 0, 0, -2, 0, 0, 0, 0, 0, 1],
};

function made(affine, dimensions = [6, 7, 21]) {
  const meta = { dimensions, spacing_mm: [1, 1, 1], affine, axes: [], range: null, slab: 8, slabs: Math.ceil(dimensions[2] / 8), coding: ["raw", "dp"], pictures: true };
  const volume = new Volume(meta);
  const random = random_from(5);
  for (let slab = 0; slab < meta.slabs; ++slab) {
    volume.put(slab, Int16Array.from({ length: volume.voxels_of(slab) }, () => Math.round(random() * 4000 - 1024)));
  }
  return volume;
}

test("a cut holds the voxel under every pixel, in six orientations and three planes", () => {
  for (const [axes, affine] of Object.entries(affines)) {
    const volume = made(affine);
    for (const name of plane_names) {
      const plane = new Plane(name, volume.grid);
      for (const slice of [0, plane.slices - 1, 3]) {
        const cut = volume.cut(plane, slice);
        for (let row = 0; row < plane.rows; ++row) {
          for (let column = 0; column < plane.columns; ++column) {
            assert.equal(cut[row * plane.columns + column], volume.hu(plane.voxel({ column, row, slice })), `${axes} ${name} ${slice}`);
          }
        }
      }
    }
  }
});

test("what is not loaded is absent, in every plane", () => {
  const volume = made(affines.LPS);
  volume.drop(1);
  const coronal = new Plane("coronal", volume.grid);
  const cut = volume.cut(coronal, 2);
  const absent = [...cut].filter((hu) => hu === absent_hu).length;
  assert.equal(absent, 8 * 6);
  assert.equal(volume.covers(coronal, 2), false);
  assert.equal(volume.covers(new Plane("axial", volume.grid), 2), true);
});

test("a slab that comes where another went is a change, though as many are there", () => {
  const volume = made(affines.LPS);
  const [slab, before] = [Int16Array.from({ length: volume.voxels_of(0) }), volume.changes];
  volume.drop(1);
  assert.equal(volume.slabs_loaded, 2);
  volume.drop(1);
  assert.equal(volume.slabs_loaded, 2);
  const gone = volume.changes;
  volume.put(1, slab);
  volume.drop(0);
  assert.equal(volume.slabs_loaded, 2);
  assert.ok(before < gone && gone < volume.changes);
});

test("a projection is the greatest value of its slices", () => {
  const volume = made(affines.LPS);
  const plane = new Plane("axial", volume.grid);
  const projected = volume.project(plane, 10, 10);
  const cuts = [8, 9, 10, 11, 12].map((slice) => volume.cut(plane, slice));
  projected.forEach((hu, i) => assert.equal(hu, Math.max(...cuts.map((cut) => cut[i]))));
});

// The obvious coding of docs/formats/api.md.
function dp(values, row) {
  const low = [];
  const high = [];
  values.forEach((value, i) => {
    const difference = ((value - (i % row === 0 ? 0 : values[i - 1])) << 16) >> 16;
    const zigzag = ((difference << 1) ^ (difference >> 31)) & 0xffff;
    low.push(zigzag & 255);
    high.push(zigzag >> 8);
  });
  return Uint8Array.from([...low, ...high]);
}

test("a slab decodes from both codings, inflated or not", async () => {
  const random = random_from(9);
  const values = Int16Array.from({ length: 60 }, (_, i) => (i < 4 ? [-32768, 32767, 0, -1][i] : Math.round(random() * 65535 - 32768)));
  const raw = new Uint8Array(values.buffer.slice(0));
  assert.deepEqual(await decode_slab(raw, "raw", 12, 60), values);
  assert.deepEqual(await decode_slab(dp(values, 12), "dp", 12, 60), values);
  assert.deepEqual(await decode_slab(new Uint8Array(gzipSync(dp(values, 12))), "dp", 12, 60), values);
  await assert.rejects(decode_slab(raw.subarray(0, 100), "raw", 12, 60), /100 bytes instead of 120/);
});

test("slabs come from the one on screen outward", () => {
  assert.deepEqual(loading_order(6, 2), [2, 3, 1, 4, 0, 5]);
  assert.deepEqual(loading_order(3, 0), [0, 1, 2]);
});

test("the loader brings every slab once, the one on screen first, and goes on after a failure", async () => {
  const whole = made(affines.LPS);
  const volume = new Volume(whole.meta);
  const asked = [];
  let broken = true;
  const fetcher = async (url) => {
    const slab = Number(/slab\/(\d+)/.exec(url)[1]);
    asked.push(slab);
    if (broken && slab === 0) throw new Error("503 busy");
    const begin = slab * 8 * 42;
    const values = whole.all().slice(begin, begin + whole.voxels_of(slab));
    return new Uint8Array(values.buffer);
  };
  let failures = 0;
  const loader = new VolumeLoader(volume, "/v", 10, { progress: () => {}, failed: () => ++failures }, async (url) => {
    const bytes = await fetcher(url);
    return url.endsWith("dp") ? dp(new Int16Array(bytes.buffer), 6) : bytes;
  });
  await loader.start();
  assert.equal(asked[0], 1);
  assert.equal(failures, 1);
  assert.equal(volume.slabs_loaded, 2);
  broken = false;
  loader.retry();
  while (!volume.whole) await new Promise((resume) => setTimeout(resume, 5));
  assert.deepEqual(volume.all(), whole.all());
});
