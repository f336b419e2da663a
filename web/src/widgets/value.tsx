// A number with its reason where it does not exist, and where it lies with its interval.
import { absent, interval_text, number_text } from "../lib/numbers.ts";
import { scale } from "../lib/scale.ts";

export function Value(props: { value: number | null | undefined; unit?: string | null | undefined; reason?: string | null | undefined; href?: string | undefined; title?: string }) {
  const { value, unit, reason, href, title } = props;
  const missing = value === null || value === undefined;
  const why = reason ?? "this value does not exist";
  const shown = missing ? (
    <span class="no_value" title={why} tabIndex={href ? undefined : 0} aria-label={`no value: ${why}`} role="note">
      {absent}
    </span>
  ) : (
    number_text(value, unit)
  );
  if (!href) return <>{shown}</>;
  return (
    <a href={href} title={missing ? why : title}>
      {shown}
    </a>
  );
}

export interface StripMark {
  value: number | null;
  ci95?: [number, number] | null | undefined;
  kind: "strict" | "official";
}

// Marks with whiskers on one line; the numbers stand beside it in words, so the picture is left out of the reading.
export function Strip({ marks, limits, width = 160, ceiling, floor }: { marks: StripMark[]; limits: [number, number]; width?: number; ceiling?: number | undefined; floor?: number | undefined }) {
  const x = scale(limits[0], limits[1], width - 16);
  const at = (value: number): number => 8 + x.at(value);
  return (
    <svg class="strip" viewBox={`0 0 ${width} 20`} width={width} height={20} aria-hidden="true">
      <line class="axis" x1={8} x2={width - 8} y1={10} y2={10} />
      {limits[0] < 0 && <line class="zero" x1={at(0)} x2={at(0)} y1={3} y2={17} />}
      {ceiling !== undefined && <line class="limit" x1={at(ceiling)} x2={at(ceiling)} y1={3} y2={17} />}
      {floor !== undefined && <line class="limit floor" x1={at(floor)} x2={at(floor)} y1={3} y2={17} />}
      {marks.map((mark) =>
        mark.value === null ? null : (
          <g key={mark.kind} class={mark.kind}>
            {mark.ci95 && <line class="whisker" x1={at(mark.ci95[0])} x2={at(mark.ci95[1])} y1={10} y2={10} />}
            <path class="point" d={`M${at(mark.value)} 5l5 5l-5 5l-5 -5z`} />
          </g>
        ),
      )}
    </svg>
  );
}

export function Interval({ interval }: { interval: [number, number] | null | undefined }) {
  return <span class="quiet small interval">{interval ? interval_text(interval) : ""}</span>;
}
