// Every value, by both rule sets, with its interval, ceiling and floor. A number opens the rows behind it.
import { useState } from "preact/hooks";

import type { RunPage, Slot } from "../../api/types.ts";
import { counted_text, interval_text, number_text } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { round_limits } from "../../lib/scale.ts";
import { words_of } from "../../lib/words.ts";
import { Strip, Value } from "../../widgets/value.tsx";

const first_rows = 12;

function floor_of(slot: Slot): number | undefined {
  const floor = slot.floor;
  return typeof floor === "number" ? floor : (floor?.value ?? undefined);
}

function limits_of(slots: (Slot | undefined)[]): [number, number] {
  return round_limits(slots.flatMap((slot) => [slot?.value, ...(slot?.ci95 ?? [])]).filter((value) => typeof value === "number"));
}

function Numbers({ run, slot, scorer }: { run: RunPage; slot: Slot | undefined; scorer: string }) {
  if (!slot)
    return (
      <td class="number">
        <Value value={null} reason={`the ${scorer} rules do not define it`} />
      </td>
    );
  return (
    <td class="number">
      <span class="big">
        <Value value={slot.value} unit={slot.unit} reason={slot.reason} href={to.rows(run.id, { metric: slot.metric, scorer })} title="the rows behind this number" />
      </span>
      <p class="small quiet">{slot.ci95 ? interval_text(slot.ci95) : ""}</p>
    </td>
  );
}

function Notes({ slot }: { slot: Slot }) {
  const floor = floor_of(slot);
  const notes = [
    slot.better === "lower" ? "lower is better" : "",
    slot.ceiling !== undefined ? `the reference itself gets ${number_text(slot.ceiling)}` : "",
    floor !== undefined ? `the baseline gets ${number_text(floor)}` : "",
    slot.n_undefined ? `${slot.n_undefined} undefined` : "",
    slot.n_failed ? `${slot.n_failed} failed` : "",
  ].filter(Boolean);
  return notes.length ? <p class="small quiet">{notes.join(" · ")}</p> : null;
}

function SlotRow({ run, name }: { run: RunPage; name: string }) {
  const strict = run.summary.metrics[name];
  const official = run.summary.official?.[name];
  const slot = strict ?? official;
  if (!slot) return null;
  return (
    <tr>
      <th scope="row">
        {words_of(name)}
        <p class="small">
          <a class="quiet" href={to.metric(slot.metric)} title="the contract of this metric">
            <code>{slot.metric}</code>
          </a>
        </p>
        <Notes slot={slot} />
      </th>
      <Numbers run={run} slot={strict} scorer={run.summary.mode} />
      {run.summary.official && <Numbers run={run} slot={official} scorer="official" />}
      <td class="wide_only">
        <Strip
          limits={limits_of([strict, official])}
          width={200}
          ceiling={slot.ceiling}
          floor={floor_of(slot)}
          marks={[
            { kind: "official", value: official?.value ?? null, ci95: official?.ci95 },
            { kind: "strict", value: strict?.value ?? null, ci95: strict?.ci95 },
          ]}
        />
      </td>
      <td class="number quiet small">{counted_text(slot.n, slot.counted)}</td>
    </tr>
  );
}

export function SlotTable({ run }: { run: RunPage }) {
  const [all, show_all] = useState(false);
  const names = [...new Set([...Object.keys(run.summary.metrics), ...Object.keys(run.summary.official ?? {})])];
  const shown = all ? names : names.slice(0, first_rows);
  return (
    <section aria-labelledby="values">
      <h2 id="values">Values</h2>
      <p class="quiet small">
        Strict counts a missing or unreadable prediction as 0.
        {run.summary.official && " Official follows the published scorer, quirks included"}
        {run.summary.official && (run.summary.provenance?.["official"] ? ` (${String(run.summary.provenance["official"])}).` : ".")} Intervals are
        95 %.
      </p>
      <div class="scrolls">
        <table class="slots">
          <thead>
            <tr>
              <th scope="col">what</th>
              <th scope="col" class="number">
                <span class="key strict" aria-hidden="true">
                  ◆
                </span>{" "}
                {run.summary.mode}
              </th>
              {run.summary.official && (
                <th scope="col" class="number">
                  <span class="key official" aria-hidden="true">
                    ◇
                  </span>{" "}
                  official
                </th>
              )}
              <th scope="col" class="wide_only">
                <span class="out_of_sight">where it lies</span>
              </th>
              <th scope="col" class="number">
                of
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((name) => (
              <SlotRow key={name} run={run} name={name} />
            ))}
          </tbody>
        </table>
      </div>
      {names.length > shown.length && (
        <button type="button" onClick={() => show_all(true)}>
          Show {names.length - shown.length} more values
        </button>
      )}
    </section>
  );
}
