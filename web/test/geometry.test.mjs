import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./modules.mjs";

const { Plane, plane_names, axis_letters, voxel_of, world_mm, obliqueness } = await load("viewer/plane");

const directions = { R: [1, 0, 0], L: [-1, 0, 0], A: [0, 1, 0], P: [0, -1, 0], S: [0, 0, 1], I: [0, 0, -1] };

// A grid whose indices grow towards those letters, with voxels of 0.7 x 0.8 x 2.5 mm.
function grid_of(axes) {
  const mm = [0.7, 0.8, 2.5];
  const column = [...axes].map((letter, axis) => directions[letter].map((n) => n * mm[axis]));
  const origin = [11, -7, 30];
  const affine = [0, 1, 2].flatMap((row) => [column[0][row], column[1][row], column[2][row], origin[row]]);
  return { dimensions: [5, 7, 9], affine: [...affine, 0, 0, 0, 1] };
}

const orientations = ["LPS", "RAS", "LAS", "RPI", "PSR", "ILA", "SPL", "AIR"];

test("letters of the axes are read from the affine", () => {
  for (const axes of orientations) assert.equal(axis_letters(grid_of(axes).affine).join(""), axes);
});

test("the patient's right is on the left, anterior or superior on top, in every orientation", () => {
  const wanted = { axial: ["R", "A"], coronal: ["R", "S"], sagittal: ["A", "S"] };
  for (const axes of orientations) {
    const grid = grid_of(axes);
    for (const name of plane_names) {
      const plane = new Plane(name, grid);
      const { left, top } = plane.letters;
      assert.deepEqual([left, top], wanted[name]);
      const here = world_mm(grid.affine, plane.voxel({ column: 1, row: 1, slice: 1 }));
      const lefter = world_mm(grid.affine, plane.voxel({ column: 0, row: 1, slice: 1 }));
      const higher = world_mm(grid.affine, plane.voxel({ column: 1, row: 0, slice: 1 }));
      const towards = (from, to, letter) => to.reduce((sum, n, axis) => sum + (n - from[axis]) * directions[letter][axis], 0);
      assert.ok(towards(here, lefter, left) > 0.6, `${axes} ${name}: left is ${left}`);
      assert.ok(towards(here, higher, top) > 0.6, `${axes} ${name}: top is ${top}`);
    }
  }
});

test("a wheel turned on goes to the feet, the back and the left", () => {
  const on = { axial: "I", coronal: "P", sagittal: "L" };
  for (const axes of orientations) {
    const grid = grid_of(axes);
    for (const name of plane_names) {
      const plane = new Plane(name, grid);
      const at = (slice) => world_mm(grid.affine, plane.voxel({ column: 0, row: 0, slice }));
      const moved = at(3 + plane.onward).map((n, axis) => n - at(3)[axis]);
      assert.ok(moved.reduce((sum, n, axis) => sum + n * directions[on[name]][axis], 0) > 0, `${axes} ${name}`);
    }
  }
});

test("screen and voxel are each other's inverse, and millimetres lead back to the voxel", () => {
  for (const axes of orientations) {
    const grid = grid_of(axes);
    for (const name of plane_names) {
      const plane = new Plane(name, grid);
      for (const voxel of [[0, 0, 0], [4, 6, 8], [1, 5, 2]]) {
        assert.deepEqual(plane.voxel(plane.screen(voxel)), voxel);
        assert.deepEqual(voxel_of(grid, world_mm(grid.affine, voxel)), voxel);
      }
    }
  }
});

test("an array without a place is taken for left, posterior, superior", () => {
  assert.deepEqual(axis_letters(new Array(16).fill(0)), ["L", "P", "S"]);
});

test("a tilted gantry is oblique by its angle", () => {
  const tilt = (12 * Math.PI) / 180;
  const affine = [1, 0, 0, 0, 0, Math.cos(tilt), -Math.sin(tilt), 0, 0, Math.sin(tilt), Math.cos(tilt), 0, 0, 0, 0, 1];
  assert.ok(Math.abs(obliqueness(affine) - 12) < 1e-9);
});
