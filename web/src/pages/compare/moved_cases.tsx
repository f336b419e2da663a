// The cases that moved most, either way; each opens with both runs side by side.
import type { Comparison, Moved } from "../../api/types.ts";
import { difference_text } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { row_name } from "../../lib/row_links.ts";
import { Empty } from "../../widgets/states.tsx";
import { Value } from "../../widgets/value.tsx";
import type { ComparedRuns } from "./page.tsx";

function address(moved: Moved, runs: ComparedRuns): string | null {
  const id = moved.case_id ?? moved.case.replace(/\.nii\.gz$/, "");
  if (!runs.dataset || moved.case_id === null) return null;
  return to.case(runs.dataset, id, { finding: moved.finding, run: runs.ids[0], vs: runs.ids[1] });
}

// A line from the value of one run to that of the other.
function Slope({ moved }: { moved: Moved }) {
  if (moved.a === null || moved.b === null || Math.max(moved.a, moved.b) > 1 || Math.min(moved.a, moved.b) < 0) return null;
  const x = (value: number): number => 6 + value * 108;
  return (
    <svg class="slope" viewBox="0 0 120 16" width={120} height={16} aria-hidden="true">
      <line class="axis" x1={6} x2={114} y1={8} y2={8} />
      <line class="move" x1={x(moved.a)} x2={x(moved.b)} y1={8} y2={8} />
      <circle class="first" cx={x(moved.a)} cy={8} r={4} />
      <circle class="second" cx={x(moved.b)} cy={8} r={4} />
    </svg>
  );
}

export function MovedCases({ comparison, runs }: { comparison: Comparison; runs: ComparedRuns }) {
  if (!comparison.moved || runs.ids.length !== 2) return null;
  const moved = comparison.moved.filter((each) => each.difference !== 0);
  return (
    <section aria-labelledby="moved">
      <h2 id="moved">Moved most</h2>
      {moved.length === 0 ? (
        <Empty title="Nothing moved">Both runs get the same value in every {comparison.unit} that both have.</Empty>
      ) : (
        <div class="scrolls" tabIndex={0} role="group" aria-label="cases that moved most">
          <table>
            <thead>
              <tr>
                <th scope="col">{comparison.unit}</th>
                {runs.names.map((name, i) => (
                  <th key={name} scope="col" class="number">
                    <span class={i === 0 ? "key strict" : "key official"} aria-hidden="true">
                      {i === 0 ? "●" : "○"}
                    </span>{" "}
                    {name}
                  </th>
                ))}
                <th scope="col" class="wide_only">
                  <span class="out_of_sight">from one to the other</span>
                </th>
                <th scope="col" class="number">
                  difference
                </th>
              </tr>
            </thead>
            <tbody>
              {moved.slice(0, 20).map((each, i) => {
                const href = address(each, runs);
                return (
                  <tr key={i}>
                    <th scope="row">{href ? <a href={href}>{row_name(each, comparison.unit === "finding")}</a> : row_name(each, comparison.unit === "finding")}</th>
                    <td class="number">
                      <Value value={each.a} />
                    </td>
                    <td class="number">
                      <Value value={each.b} />
                    </td>
                    <td class="wide_only">
                      <Slope moved={each} />
                    </td>
                    <td class="number big">{difference_text(each.difference)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
