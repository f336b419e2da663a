// Counts as bars; a table, so that it reads without the picture. Each row may be a link to the cases that it counts.
import { grouped } from "../lib/numbers.ts";

export interface Bar {
  label: string;
  count: number;
  href?: string;
}

export function Bars({ title, bars, what }: { title: string; bars: Bar[]; what: string }) {
  const most = Math.max(1, ...bars.map((bar) => bar.count));
  return (
    <figure class="bars">
      <table>
        <caption>{title}</caption>
        <thead class="out_of_sight">
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">{what}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.label}>
              <th scope="row" title={bar.label}>{bar.href ? <a href={bar.href}>{bar.label}</a> : bar.label}</th>
              <td>
                <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                  <rect class="bar" x="0" y="0" height="10" width={(100 * bar.count) / most} />
                </svg>
                <span>{grouped(bar.count)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
