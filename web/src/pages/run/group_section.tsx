// Where it works and where it does not: one value by every group of the cases.
import type { RunPage, Slots } from "../../api/types.ts";
import { counted_text } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { place, set_query } from "../../lib/router.ts";
import { round_limits } from "../../lib/scale.ts";
import { words_of } from "../../lib/words.ts";
import { Choice } from "../../widgets/choice.tsx";
import { Interval, Strip, Value } from "../../widgets/value.tsx";

function slots_in(groups: Record<string, Slots>): string[] {
  return [...new Set(Object.values(groups).flatMap((slots) => Object.keys(slots)))];
}

function GroupTable({ kind, groups, slot, run }: { kind: string; groups: Record<string, Slots>; slot: string; run: RunPage }) {
  const values = Object.values(groups).map((slots) => slots[slot]);
  const limits = round_limits(values.map((value) => value?.value ?? 0));
  return (
    <table>
      <caption class="out_of_sight">
        {words_of(slot)} by {words_of(kind)}
      </caption>
      <thead>
        <tr>
          <th scope="col">{words_of(kind)}</th>
          <th scope="col" class="number">
            value
          </th>
          <th scope="col" class="wide_only">
            <span class="out_of_sight">where it lies</span>
          </th>
          <th scope="col" class="wide_only">
            95 %
          </th>
          <th scope="col" class="number">
            of
          </th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(groups).map(([label, slots]) => {
          const value = slots[slot];
          const where = kind === "category" ? `category=${label}` : `group_${kind}=${label}`;
          return (
            <tr key={label}>
              <th scope="row">{words_of(label)}</th>
              <td class="number big">
                <Value value={value?.value} unit={value?.unit} reason={value?.reason ?? "no value in this group"} href={to.rows(run.id, { metric: value?.metric, scorer: run.summary.mode, where })} />
              </td>
              <td class="wide_only">
                <Strip limits={limits} width={240} marks={[{ kind: "strict", value: value?.value ?? null, ci95: value?.ci95 }]} />
              </td>
              <td class="wide_only">
                <Interval interval={value?.ci95} />
              </td>
              <td class="number quiet small">{value ? counted_text(value.n, value.counted) : ""}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function GroupSection({ run }: { run: RunPage }) {
  const all = run.summary.groups ?? {};
  const kinds = Object.keys(all).filter((kind) => Object.keys(all[kind] ?? {}).length > 0);
  const asked = place.value.query.get("group");
  const kind = asked && kinds.includes(asked) ? asked : kinds[0];
  const groups = kind ? all[kind] : undefined;
  if (!kind || !groups) return null;
  const names = slots_in(groups);
  const asked_slot = place.value.query.get("slot");
  const slot = asked_slot && names.includes(asked_slot) ? asked_slot : (names[0] ?? "");
  return (
    <section aria-labelledby="groups">
      <div class="section_head">
        <h2 id="groups">Groups</h2>
        <Choice label="by" value={kind} options={kinds.map((value) => ({ value, text: words_of(value) }))} on_choose={(group) => set_query({ group })} />
        <Choice label="value" value={slot} options={names.map((value) => ({ value, text: words_of(value) }))} on_choose={(value) => set_query({ slot: value })} />
      </div>
      <GroupTable kind={kind} groups={groups} slot={slot} run={run} />
    </section>
  );
}
