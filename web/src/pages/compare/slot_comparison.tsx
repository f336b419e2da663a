// Every value of every run; with two runs, the paired difference.
import type { ComparedSlot, Comparison } from "../../api/types.ts";
import { difference_text, interval_text, p_text } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { words_of } from "../../lib/words.ts";
import { Strip, Value } from "../../widgets/value.tsx";
import type { ComparedRuns } from "./page.tsx";

// One scale for all differences of the table, so that bars can be held against each other.
function reach_of(slots: ComparedSlot[]): number {
  const sizes = slots
    .filter((slot) => !slot.unit || slot.unit === "1")
    .flatMap((slot) => [slot.difference?.value ?? 0, ...(slot.difference?.ci95 ?? [])])
    .map(Math.abs);
  return Math.max(0.05, ...sizes.filter((size) => size <= 1));
}

function DifferenceCells({ slot, reach }: { slot: ComparedSlot; reach: number }) {
  const found = slot.difference;
  if (!found) return null;
  const drawn = found.value !== null && Math.abs(found.value) <= reach;
  return (
    <>
      <td class="number big">
        {found.value === null ? <Value value={null} reason={found.reason ?? "one of the two has no value"} /> : difference_text(found.value)}
      </td>
      <td class="wide_only">{drawn && <Strip limits={[-reach, reach]} width={180} marks={[{ kind: "strict", value: found.value, ci95: found.ci95 }]} />}</td>
      <td class="wide_only quiet small">{found.ci95 ? interval_text(found.ci95) : ""}</td>
      <td class="number small wide_only">
        {found.wins} / {found.ties} / {found.losses}
      </td>
      <td class="number">{p_text(found.p)}</td>
    </>
  );
}

export function SlotComparison({ comparison, runs }: { comparison: Comparison; runs: ComparedRuns }) {
  const slots = Object.entries(comparison.slots);
  const paired = slots.some(([, slot]) => slot.difference);
  const reach = reach_of(slots.map(([, slot]) => slot));
  return (
    <section aria-labelledby="all_values">
      <h2 id="all_values">All values</h2>
      <div class="scrolls" tabIndex={0} role="group" aria-label="all values">
        <table>
          <thead>
            <tr>
              <th scope="col">value</th>
              {runs.names.map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
              {paired && (
                <>
                  <th scope="col" class="number">
                    difference
                  </th>
                  <th scope="col" class="wide_only">
                    <span class="out_of_sight">where it lies</span>
                  </th>
                  <th scope="col" class="wide_only">
                    95 %
                  </th>
                  <th scope="col" class="number wide_only">
                    better / equal / worse
                  </th>
                  <th scope="col" class="number">
                    p
                  </th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {slots.map(([name, slot]) => (
              <tr key={name} class={name === comparison.metric ? "chosen" : ""}>
                <th scope="row">
                  {words_of(name)}
                  {slot.better === "lower" && <span class="small quiet"> (lower is better)</span>}
                </th>
                {slot.values.map((value, i) => (
                  <td key={i} class="number">
                    <Value value={value.value} unit={slot.unit} reason={value.reason} href={to.rows(runs.ids[i] ?? "", { metric: slot.metric })} />
                  </td>
                ))}
                <DifferenceCells slot={slot} reach={reach} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
