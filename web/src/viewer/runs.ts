// Masks as the runs of each x row, from the wire to the pixel.
//
// The container is described in docs/formats/runs.md. A decoded mask is immutable: runs stand in x-fastest order,
// never cross a row and never overlap, so two masks are equal exactly when their runs are.

export type Extent = readonly [number, number, number];
export type Voxel = readonly [number, number, number];

// Half open: low is inside, high is not. All zero where a mask is empty.
export interface Box {
  readonly low: Voxel;
  readonly high: Voxel;
}

export const most_runs = 8 * 1024 * 1024;
const header_bytes = 24;
const entry_bytes = 24;

export class RunsError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(`masks: ${message} at byte ${offset}`);
    this.offset = offset;
  }
}

// The runs of one row: indices from .. to-1 into begin and end.
export interface RowRuns {
  readonly from: number;
  readonly to: number;
}

const no_runs: RowRuns = { from: 0, to: 0 };

interface RunColumns {
  readonly begin: Uint16Array;
  readonly end: Uint16Array;
  readonly entity: Uint32Array | null;
  readonly rows: Uint32Array;
}

export class RunMask {
  readonly id: number;
  readonly box: Box;
  readonly begin: Uint16Array; // x of the first voxel of a run
  readonly end: Uint16Array; // x behind the last
  readonly entity: Uint32Array | null;
  readonly voxels: number;
  private named: readonly number[] | null = null;
  // Runs of box row r (y fastest) are rows[r] .. rows[r + 1] - 1.
  private readonly rows: Uint32Array;

  constructor(id: number, box: Box, parts: RunColumns) {
    this.id = id;
    this.box = box;
    this.begin = parts.begin;
    this.end = parts.end;
    this.entity = parts.entity;
    this.rows = parts.rows;
    let voxels = 0;
    for (let i = 0; i < this.begin.length; ++i) voxels += this.end[i]! - this.begin[i]!;
    this.voxels = voxels;
  }

  get empty(): boolean {
    return this.begin.length === 0;
  }

  get bytes(): number {
    return this.begin.byteLength * 2 + (this.entity?.byteLength ?? 0) + this.rows.byteLength;
  }

  // The first run of a row of the box, and the one behind its last.
  row_begin(y: number, z: number): number {
    return this.rows[y - this.box.low[1] + (this.box.high[1] - this.box.low[1]) * (z - this.box.low[2])]!;
  }
  row_end(y: number, z: number): number {
    return this.rows[1 + y - this.box.low[1] + (this.box.high[1] - this.box.low[1]) * (z - this.box.low[2])]!;
  }

  row(y: number, z: number): RowRuns {
    const { low, high } = this.box;
    if (y < low[1] || y >= high[1] || z < low[2] || z >= high[2]) return no_runs;
    const at = y - low[1] + (high[1] - low[1]) * (z - low[2]);
    return { from: this.rows[at]!, to: this.rows[at + 1]! };
  }

  // The run that holds a voxel, or -1.
  find(voxel: Voxel): number {
    const { from, to } = this.row(voxel[1], voxel[2]);
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.end[middle]! <= voxel[0]) low = middle + 1;
      else high = middle;
    }
    return low < to && this.begin[low]! <= voxel[0] ? low : -1;
  }

  contains(voxel: Voxel): boolean {
    return this.find(voxel) >= 0;
  }

  // 0 outside of the mask and where the container names no entities.
  entity_at(voxel: Voxel): number {
    const run = this.find(voxel);
    return run < 0 || this.entity === null ? 0 : this.entity[run]!;
  }

  // Ascending; none where the container names none.
  entities(): readonly number[] {
    this.named ??= this.entity === null ? [] : [...new Set(this.entity)].filter((e) => e !== 0).sort((a, b) => a - b);
    return this.named;
  }
}

// Collects runs row by row, in x-fastest order, and makes a mask of them.
export class MaskBuilder {
  private readonly begins: number[] = [];
  private readonly ends: number[] = [];
  private readonly entities: number[] = [];
  private readonly starts: { y: number; z: number; at: number }[] = [];
  private has_entities = false;

  add(run: { y: number; z: number; begin: number; end: number; entity?: number }): void {
    const last = this.starts[this.starts.length - 1];
    const same_row = last !== undefined && last.y === run.y && last.z === run.z;
    if (!same_row) this.starts.push({ y: run.y, z: run.z, at: this.begins.length });
    const entity = run.entity ?? 0;
    if (entity !== 0) this.has_entities = true;
    const previous = this.begins.length - 1;
    if (same_row && this.ends[previous] === run.begin && this.entities[previous] === entity) {
      this.ends[previous] = run.end;
      return;
    }
    this.begins.push(run.begin);
    this.ends.push(run.end);
    this.entities.push(entity);
  }

  build(id: number): RunMask {
    const box = this.bounds();
    const height = box.high[1] - box.low[1];
    const rows = new Uint32Array(height * (box.high[2] - box.low[2]) + 1);
    let filled = 0;
    for (const start of this.starts) {
      const at = start.y - box.low[1] + height * (start.z - box.low[2]);
      while (filled <= at) rows[filled++] = start.at;
    }
    rows.fill(this.begins.length, filled);
    return new RunMask(id, box, {
      begin: Uint16Array.from(this.begins),
      end: Uint16Array.from(this.ends),
      entity: this.has_entities ? Uint32Array.from(this.entities) : null,
      rows,
    });
  }

  private bounds(): Box {
    if (this.begins.length === 0) return { low: [0, 0, 0], high: [0, 0, 0] };
    const low: [number, number, number] = [65536, 65536, 65536];
    const high: [number, number, number] = [0, 0, 0];
    for (const begin of this.begins) low[0] = Math.min(low[0], begin);
    for (const end of this.ends) high[0] = Math.max(high[0], end);
    for (const { y, z } of this.starts) {
      low[1] = Math.min(low[1], y);
      low[2] = Math.min(low[2], z);
      high[1] = Math.max(high[1], y + 1);
      high[2] = Math.max(high[2], z + 1);
    }
    return { low, high };
  }
}

interface Entry {
  readonly id: number;
  readonly bytes: number;
  readonly runs: number;
  readonly box: Box;
}

class Reader {
  at = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  need(count: number): void {
    if (this.at + count > this.bytes.length) throw new RunsError("the container ends early", this.bytes.length);
  }
  u8(): number {
    this.need(1);
    return this.bytes[this.at++]!;
  }
  u16(): number {
    this.need(2);
    this.at += 2;
    return this.view.getUint16(this.at - 2, true);
  }
  u32(): number {
    this.need(4);
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }
  varint(limit: number): number {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 28; factor *= 128) {
      if (this.at >= limit) throw new RunsError("a number runs past its mask", this.at);
      const byte = this.bytes[this.at++]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw new RunsError("a number has more than 35 bits", this.at);
  }
}

function read_entry(reader: Reader, extent: Extent): Entry {
  const at = reader.at;
  reader.need(entry_bytes);
  const id = reader.u32();
  const bytes = reader.u32();
  const runs = reader.u32();
  const [x0, x1, y0, y1, z0, z1] = [reader.u16(), reader.u16(), reader.u16(), reader.u16(), reader.u16(), reader.u16()];
  const inside = x0 <= x1 && y0 <= y1 && z0 <= z1 && x1 <= extent[0] && y1 <= extent[1] && z1 <= extent[2];
  if (!inside) throw new RunsError(`the box of mask ${id} leaves the grid`, at);
  return { id, bytes, runs, box: { low: [x0, y0, z0], high: [x1, y1, z1] } };
}

// Holds that a run lies in the box, and remembers how far the runs reach.
class Tightness {
  private low = [65536, 65536, 65536];
  private high = [0, 0, 0];
  private readonly entry: Entry;

  constructor(entry: Entry) {
    this.entry = entry;
  }

  take(begin: number, end: number, y: number, z: number, offset: number): void {
    const { low, high } = this.entry.box;
    const inside = begin >= low[0] && end <= high[0] && y >= low[1] && y < high[1] && z >= low[2] && z < high[2];
    if (!inside) throw new RunsError(`a run of mask ${this.entry.id} leaves its box`, offset);
    if (begin < this.low[0]!) this.low[0] = begin;
    if (end > this.high[0]!) this.high[0] = end;
    if (y < this.low[1]!) this.low[1] = y;
    if (y >= this.high[1]!) this.high[1] = y + 1;
    if (z < this.low[2]!) this.low[2] = z;
    if (z >= this.high[2]!) this.high[2] = z + 1;
  }

  finish(offset: number): void {
    const { low, high } = this.entry.box;
    const empty = this.entry.runs === 0;
    for (let axis = 0; axis < 3; ++axis) {
      const tight = empty ? low[axis] === high[axis] : this.low[axis] === low[axis] && this.high[axis] === high[axis];
      if (!tight) throw new RunsError(`the box of mask ${this.entry.id} is not tight`, offset);
    }
  }
}

function read_mask(reader: Reader, entry: Entry, extent: Extent, with_entities: boolean): RunMask {
  const limit = reader.at + entry.bytes;
  reader.need(entry.bytes);
  if (2 * entry.runs > entry.bytes) throw new RunsError(`mask ${entry.id} promises more runs than it has bytes`, reader.at);
  const { low, high } = entry.box;
  const height = high[1] - low[1];
  const begin = new Uint16Array(entry.runs);
  const end = new Uint16Array(entry.runs);
  const entity = with_entities ? new Uint32Array(entry.runs) : null;
  const rows = new Uint32Array(height * (high[2] - low[2]) + 1);
  const tightness = new Tightness(entry);
  const [nx, ny] = extent;
  let position = 0;
  let behind = 0;
  let filled = 0;
  for (let i = 0; i < entry.runs; ++i) {
    position += reader.varint(limit);
    const length = reader.varint(limit);
    const x = position % nx;
    const line = (position - x) / nx;
    const y = line % ny;
    const z = (line - y) / ny;
    if (length === 0 || x + length > nx || z >= extent[2]) throw new RunsError(`a run of mask ${entry.id} leaves its row`, reader.at);
    tightness.take(x, x + length, y, z, reader.at);
    begin[i] = x;
    end[i] = x + length;
    const label = entity === null ? 1 : reader.varint(limit);
    if (label === 0 || label > 0x7fffffff) throw new RunsError(`entity ${label} in mask ${entry.id}`, reader.at);
    const joined = i > 0 && x !== 0 && position === behind && (entity === null || entity[i - 1] === label);
    if (joined) throw new RunsError(`two runs of mask ${entry.id} are one`, reader.at);
    if (entity !== null) entity[i] = label;
    const row = y - low[1] + height * (z - low[2]);
    while (filled <= row) rows[filled++] = i;
    position += length;
    behind = position;
  }
  tightness.finish(reader.at);
  if (reader.at !== limit) throw new RunsError(`mask ${entry.id} has bytes left over`, reader.at);
  rows.fill(entry.runs, filled);
  return new RunMask(entry.id, entry.box, { begin, end, entity, rows });
}

export interface MaskSet {
  readonly extent: Extent;
  readonly masks: readonly RunMask[];
}

// Throws RunsError for anything but a whole, tight container.
export function decode_runs(bytes: Uint8Array): MaskSet {
  const reader = new Reader(bytes);
  reader.need(header_bytes);
  const magic = String.fromCharCode(reader.u8(), reader.u8(), reader.u8(), reader.u8());
  if (magic !== "FRUN") throw new RunsError("this is no container of runs", 0);
  if (reader.u8() !== 1) throw new RunsError("unknown version", 4);
  const flags = reader.u8();
  if (flags > 1 || reader.u16() !== 0) throw new RunsError("unknown flags", 5);
  const extent: Extent = [reader.u32(), reader.u32(), reader.u32()];
  const grid_fits = extent.every((n) => n >= 1 && n <= 65535) && extent[0] * extent[1] * extent[2] < 2 ** 32;
  if (!grid_fits) throw new RunsError("the grid has no size that a container can hold", 8);
  const count = reader.u32();
  reader.need(count * entry_bytes);
  const entries: Entry[] = [];
  let total = 0;
  for (let i = 0; i < count; ++i) {
    entries.push(read_entry(reader, extent));
    total += entries[i]!.runs;
    if (total > most_runs) throw new RunsError(`more than ${most_runs} runs`, reader.at);
  }
  const masks = entries.map((entry) => read_mask(reader, entry, extent, (flags & 1) === 1));
  if (reader.at !== bytes.length) throw new RunsError("bytes follow the last mask", reader.at);
  return { extent, masks };
}
