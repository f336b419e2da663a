// Set algebra on masks, row by row. Entities of the first operand are kept where its voxels are.

import { MaskBuilder, RunMask } from "./runs.ts";

interface Stretch {
  readonly begin: number;
  readonly end: number;
  readonly entity: number;
}

// The runs of one row, with touching ones of one entity joined.
export function stretches(mask: RunMask, y: number, z: number): Stretch[] {
  const out: Stretch[] = [];
  const { from, to } = mask.row(y, z);
  for (let i = from; i < to; ++i) {
    out.push({ begin: mask.begin[i]!, end: mask.end[i]!, entity: mask.entity === null ? 0 : mask.entity[i]! });
  }
  return out;
}

export function intersected_row(a: readonly Stretch[], b: readonly Stretch[]): Stretch[] {
  const out: Stretch[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const begin = Math.max(a[i]!.begin, b[j]!.begin);
    const end = Math.min(a[i]!.end, b[j]!.end);
    if (begin < end) out.push({ begin, end, entity: a[i]!.entity });
    if (a[i]!.end < b[j]!.end) ++i;
    else ++j;
  }
  return out;
}

export function subtracted_row(a: readonly Stretch[], b: readonly Stretch[]): Stretch[] {
  const out: Stretch[] = [];
  let j = 0;
  for (const run of a) {
    let begin = run.begin;
    while (j < b.length && b[j]!.end <= begin) ++j;
    for (let k = j; k < b.length && b[k]!.begin < run.end; ++k) {
      if (b[k]!.begin > begin) out.push({ begin, end: b[k]!.begin, entity: run.entity });
      begin = Math.max(begin, b[k]!.end);
    }
    if (begin < run.end) out.push({ begin, end: run.end, entity: run.entity });
  }
  return out;
}

function united_row(a: readonly Stretch[], b: readonly Stretch[]): Stretch[] {
  return [...a, ...subtracted_row(b, a)].sort((one, other) => one.begin - other.begin);
}

type RowRule = (a: readonly Stretch[], b: readonly Stretch[]) => Stretch[];

function by_row(a: RunMask, b: RunMask, rule: RowRule): RunMask {
  const builder = new MaskBuilder();
  const boxes = [a, b].filter((mask) => !mask.empty).map((mask) => mask.box);
  if (boxes.length === 0) return builder.build(a.id);
  const low = (axis: 1 | 2) => Math.min(...boxes.map((box) => box.low[axis]));
  const high = (axis: 1 | 2) => Math.max(...boxes.map((box) => box.high[axis]));
  const [y_low, y_high, z_high] = [low(1), high(1), high(2)];
  for (let z = low(2); z < z_high; ++z) {
    for (let y = y_low; y < y_high; ++y) {
      for (const run of rule(stretches(a, y, z), stretches(b, y, z))) builder.add({ y, z, ...run });
    }
  }
  return builder.build(a.id);
}

export const united = (a: RunMask, b: RunMask): RunMask => by_row(a, b, united_row);
export const intersected = (a: RunMask, b: RunMask): RunMask => by_row(a, b, intersected_row);
export const subtracted = (a: RunMask, b: RunMask): RunMask => by_row(a, b, subtracted_row);

// What a prediction got right, missed and added.
export interface Difference {
  readonly both: RunMask;
  readonly missed: RunMask;
  readonly extra: RunMask;
}

export function difference(reference: RunMask, prediction: RunMask): Difference {
  return { both: intersected(reference, prediction), missed: subtracted(reference, prediction), extra: subtracted(prediction, reference) };
}
