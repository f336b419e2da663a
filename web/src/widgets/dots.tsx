// A distribution whose dots have names: every dot is a link to what it stands for. The lists beside it are its table twin.
import { useRef, useState } from "preact/hooks";

import { number_text } from "../lib/numbers.ts";
import { round_limits, scale, spread } from "../lib/scale.ts";
import { useWidth } from "../lib/width.ts";

export interface Dot {
  name: string;
  value: number;
  href: string;
}

const step = 8;

export function Dots({ dots, label }: { dots: Dot[]; label: string }) {
  const [shown, show] = useState<Dot | null>(null);
  const frame = useRef<HTMLElement>(null);
  const width = useWidth(frame);
  const limits = round_limits(dots.map((dot) => dot.value));
  const x = scale(limits[0], limits[1], width - 32);
  const rows = spread(dots.map((dot) => x.at(dot.value)), step + 1);
  const height = Math.min(160, Math.max(...rows, 2) * step + 40);
  const base = height - 22;
  const reach = dots.length <= 60; // of the tab key; beyond, the list of worst ones is the way
  return (
    <figure class="dots" ref={frame}>
      <svg viewBox={`0 0 ${width} ${height}`} role="group" aria-label={label}>
        <line class="axis" x1={16} x2={width - 16} y1={base + 6} y2={base + 6} />
        {[0, 0.25, 0.5, 0.75, 1].map((share) => {
          const value = limits[0] + share * (limits[1] - limits[0]);
          return (
            <text key={share} class="tick" x={16 + x.at(value)} y={height - 3} text-anchor="middle">
              {Number(value.toFixed(2))}
            </text>
          );
        })}
        {dots.map((dot, i) => (
          <a
            key={dot.name + i}
            href={dot.href}
            aria-label={`${dot.name}: ${number_text(dot.value)}`}
            tabIndex={reach ? 0 : -1}
            onMouseEnter={() => show(dot)}
            onFocus={() => show(dot)}
          >
            <circle class={shown === dot ? "dot on" : "dot"} cx={16 + x.at(dot.value)} cy={Math.max(6, base - (rows[i] ?? 0) * step)} r={4} />
          </a>
        ))}
      </svg>
      <figcaption class="small quiet" aria-live="polite">
        {shown ? `${shown.name}: ${number_text(shown.value)}` : "Point at a dot for its name; click to open it."}
      </figcaption>
    </figure>
  );
}
