// Places on a line: a value between low and high becomes one between 0 and length.
export interface Scale {
  low: number;
  high: number;
  at: (value: number) => number;
}

export function scale(low: number, high: number, length: number): Scale {
  const span = high > low ? high - low : 1;
  return { low, high, at: (value) => (Math.min(Math.max(value, low), high) - low) * (length / span) };
}

// Round limits around values: 0 to 1 for shares, else the next round number outside.
export function round_limits(values: number[]): [number, number] {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  if (low >= 0 && high <= 1) return [0, 1];
  if (low >= -1 && high <= 1) return [-1, 1];
  const step = 10 ** Math.floor(Math.log10(Math.max(-low, high, 1e-9)));
  return [Math.floor(low / step) * step, Math.ceil(high / step) * step];
}

// Spreads dots that would cover each other: the row of each, nearest to the line first.
export function spread(places: number[], size: number): number[] {
  const order = places.map((_, i) => i).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const ends: number[] = [];
  const rows = new Array<number>(places.length).fill(0);
  for (const i of order) {
    const place = places[i] ?? 0;
    let row = ends.findIndex((end) => end <= place);
    if (row < 0) row = ends.length;
    ends[row] = place + size;
    rows[i] = row;
  }
  return rows;
}
