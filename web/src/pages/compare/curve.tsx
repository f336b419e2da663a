// The value of each run in the order given: a learning curve, where the runs are checkpoints. All values stand in the table below.
import { useRef } from "preact/hooks";

import type { Comparison } from "../../api/types.ts";
import { number_text } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { round_limits, scale } from "../../lib/scale.ts";
import { useWidth } from "../../lib/width.ts";
import { words_of } from "../../lib/words.ts";
import type { ComparedRuns } from "./page.tsx";

const height = 200;
const margin = { left: 44, right: 24, top: 12, bottom: 32 };

interface Point {
  x: number;
  y: number;
  low: number | null;
  high: number | null;
  name: string;
  value: number;
  href: string;
}

function points_of(comparison: Comparison, runs: ComparedRuns, width: number, y: (value: number) => number): Point[] {
  const slot = comparison.slots[comparison.metric];
  const step = (width - margin.left - margin.right) / Math.max(1, runs.ids.length - 1);
  return (slot?.values ?? []).flatMap((value, i): Point[] => {
    if (value.value === null) return [];
    const ends = value.ci95 ? { low: y(value.ci95[0]), high: y(value.ci95[1]) } : { low: null, high: null };
    const name = runs.names[i] ?? "";
    return [{ x: margin.left + i * step, y: y(value.value), ...ends, name, value: value.value, href: to.rows(runs.ids[i] ?? "", { metric: slot?.metric }) }];
  });
}

export function Curve({ comparison, runs }: { comparison: Comparison; runs: ComparedRuns }) {
  const frame = useRef<HTMLElement>(null);
  const width = Math.min(960, useWidth(frame));
  const slot = comparison.slots[comparison.metric];
  if (!slot || runs.ids.length < 3) return null;
  const limits = round_limits(slot.values.flatMap((value) => [value.value ?? 0, ...(value.ci95 ?? [])]));
  const up = scale(limits[0], limits[1], height - margin.top - margin.bottom);
  const y = (value: number): number => height - margin.bottom - up.at(value);
  const points = points_of(comparison, runs, width, y);
  return (
    <section aria-labelledby="curve" ref={frame}>
      <h2 id="curve">In the order given</h2>
      <svg class="curve" viewBox={`0 0 ${width} ${height}`} role="group" aria-label={`${words_of(comparison.metric)} of each run in order`}>
        {[0, 0.5, 1].map((share) => {
          const value = limits[0] + share * (limits[1] - limits[0]);
          return (
            <g key={share}>
              <line class="axis" x1={margin.left} x2={width - margin.right} y1={y(value)} y2={y(value)} />
              <text class="tick" x={margin.left - 8} y={y(value) + 4} text-anchor="end">
                {Number(value.toFixed(2))}
              </text>
            </g>
          );
        })}
        <polyline class="line" points={points.map((point) => `${point.x},${point.y}`).join(" ")} />
        {points.map((point) => (
          <a key={point.href + point.x} href={point.href} aria-label={`${point.name}: ${number_text(point.value)}`}>
            {point.low !== null && point.high !== null && <line class="whisker" x1={point.x} x2={point.x} y1={point.low} y2={point.high} />}
            <circle class="point" cx={point.x} cy={point.y} r={5} />
            <text class="tick" x={point.x} y={height - 8} text-anchor="middle">
              {point.name}
            </text>
          </a>
        ))}
      </svg>
    </section>
  );
}
