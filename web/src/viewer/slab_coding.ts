// The coding `dp` of CT slabs: differences along x within a row, zigzag, all low bytes, then all high bytes.

export function undo_dp(bytes: Uint8Array, row_length: number): Int16Array {
  const count = bytes.length >> 1;
  if (bytes.length !== count * 2 || row_length < 1 || count % row_length !== 0) {
    throw new Error(`a slab of ${bytes.length} bytes does not hold rows of ${row_length}`);
  }
  const out = new Int16Array(count);
  for (let at = 0; at < count; ) {
    let value = 0;
    for (const row_end = at + row_length; at < row_end; ++at) {
      const zigzag = bytes[at]! | (bytes[count + at]! << 8);
      value += (zigzag >>> 1) ^ -(zigzag & 1);
      out[at] = value;
    }
  }
  return out;
}

// Slabs are little-endian, and so is every machine that runs a browser today; the others take the slow way.
export function undo_raw(bytes: Uint8Array): Int16Array {
  const count = bytes.length >> 1;
  const little_endian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
  if (little_endian && bytes.byteOffset % 2 === 0) return new Int16Array(bytes.buffer, bytes.byteOffset, count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out = new Int16Array(count);
  for (let i = 0; i < count; ++i) out[i] = view.getInt16(2 * i, true);
  return out;
}

export type SlabCoding = "raw" | "dp";

// Some servers hand a dp slab over as a gzip stream of their own, others by Content-Encoding.
export async function inflated(bytes: Uint8Array, expected: number): Promise<Uint8Array> {
  if (bytes.length === expected || bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function decode_slab(bytes: Uint8Array, coding: SlabCoding, row_length: number, voxels: number): Promise<Int16Array> {
  const plain = await inflated(bytes, 2 * voxels);
  if (plain.length !== 2 * voxels) throw new Error(`a slab has ${plain.length} bytes instead of ${2 * voxels}`);
  return coding === "dp" ? undo_dp(plain, row_length) : undo_raw(plain);
}
