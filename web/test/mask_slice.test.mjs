import assert from "node:assert/strict";
import test from "node:test";

import { load, random_from } from "./modules.mjs";

const { MaskBuilder } = await load("viewer/runs");
const { Plane, plane_names } = await load("viewer/plane");
const { mask_slice, trace_outline, place_of } = await load("viewer/mask_slice");

const extent = [9, 8, 7];
const grids = [
  { dimensions: extent, affine: [-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1] },
  { dimensions: extent, affine: [0, 0, 1, 0, -1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1] },
  { dimensions: extent, affine: [0, -1, 0, 0, 0, 0, 1, 0, -2, 0, 0, 0, 0, 0, 0, 1] },
];

function drawn(seed) {
  const random = random_from(seed);
  const builder = new MaskBuilder();
  const density = random();
  const voxels = new Map();
  for (let z = 0; z < extent[2]; ++z) {
    for (let y = 0; y < extent[1]; ++y) {
      for (let x = 0; x < extent[0]; ++x) {
        if (random() > density) continue;
        const entity = 1 + Math.floor(random() * 2);
        builder.add({ y, z, begin: x, end: x + 1, entity });
        voxels.set(`${x} ${y} ${z}`, entity);
      }
    }
  }
  return { mask: builder.build(3), voxels };
}

test("a slice of a mask holds every voxel of it, with its entity", () => {
  for (let seed = 0; seed < 60; ++seed) {
    const { mask, voxels } = drawn(seed);
    for (const grid of grids) {
      for (const name of plane_names) {
        const plane = new Plane(name, grid);
        let found = 0;
        for (let slice = 0; slice < plane.slices; ++slice) {
          const cut = mask_slice(mask, plane, slice);
          cut.values.forEach((value, i) => {
            if (value === 0) return;
            const at = { column: cut.left + (i % cut.width), row: cut.top + Math.floor(i / cut.width), slice };
            assert.equal(voxels.get(plane.voxel(at).join(" ")), value - 1);
            ++found;
          });
        }
        assert.equal(found, voxels.size);
      }
    }
  }
});

test("an outline is made of closed loops along every border, once a side", () => {
  for (let seed = 0; seed < 60; ++seed) {
    const { mask } = drawn(seed);
    const plane = new Plane("axial", grids[0]);
    for (let slice = 0; slice < plane.slices; ++slice) {
      const cut = mask_slice(mask, plane, slice);
      let border = 0;
      cut.values.forEach((value, i) => {
        if (value === 0) return;
        const [c, r] = [i % cut.width, Math.floor(i / cut.width)];
        const at = (column, row) => (column < 0 || row < 0 || column >= cut.width || row >= cut.height ? 0 : cut.values[row * cut.width + column]);
        for (const [dc, dr] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) if (at(c + dc, r + dr) !== value) ++border;
      });
      let length = 0;
      let first = null;
      let now = null;
      const close = () => first !== null && assert.deepEqual(now, first);
      trace_outline(cut, {
        moveTo: (x, y) => {
          close();
          first = now = [x, y];
        },
        lineTo: (x, y) => {
          length += Math.abs(x - now[0]) + Math.abs(y - now[1]);
          now = [x, y];
        },
      });
      close();
      assert.equal(length, border);
    }
  }
});

test("the loops enclose as many pixels as the slice has, holes left out", () => {
  for (let seed = 0; seed < 60; ++seed) {
    const { mask } = drawn(seed);
    const plane = new Plane("sagittal", grids[1]);
    for (let slice = 0; slice < plane.slices; ++slice) {
      const cut = mask_slice(mask, plane, slice);
      let area = 0;
      let now = [0, 0];
      trace_outline(cut, {
        moveTo: (x, y) => (now = [x, y]),
        lineTo: (x, y) => {
          area += now[0] * y - x * now[1];
          now = [x, y];
        },
      });
      assert.equal(area / 2, cut.pixels);
    }
  }
});

test("the place of a mask lies inside of it, and in the entity that was asked for", () => {
  for (let seed = 0; seed < 200; ++seed) {
    const { mask } = drawn(seed);
    const plane = new Plane("axial", grids[seed % grids.length]);
    const place = place_of(mask, plane);
    if (mask.empty) assert.equal(place, undefined);
    else assert.ok(mask.contains(place));
    for (const entity of mask.entities()) assert.equal(mask.entity_at(place_of(mask, plane, entity)), entity);
  }
});

test("a ring is entered where it is, not in its hole", () => {
  const builder = new MaskBuilder();
  for (let y = 0; y < 8; ++y) {
    if (y === 0 || y === 7) builder.add({ y, z: 2, begin: 0, end: 9 });
    else {
      builder.add({ y, z: 2, begin: 0, end: 1 });
      builder.add({ y, z: 2, begin: 8, end: 9 });
    }
  }
  const mask = builder.build(0);
  assert.ok(mask.contains(place_of(mask, new Plane("axial", grids[0]))));
});
