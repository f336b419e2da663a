// The compiled modules of the app: `const { decode_runs } = await load("viewer/runs")`.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const load = (name) => import(pathToFileURL(join(process.env.FIDUCIAL_MODULES, `${name}.js`)).href);

// Seeded numbers in [0, 1).
export function random_from(seed) {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
