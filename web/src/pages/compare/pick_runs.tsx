// Which runs are compared: those chosen can be taken out, others of the same split can be added.
import type { Info, Run } from "../../api/types.ts";
import { to } from "../../lib/route.ts";
import { go, set_query } from "../../lib/router.ts";
import { Choice } from "../../widgets/choice.tsx";

function fits(run: Run, first: Run | undefined): boolean {
  if (run.kind !== "scores") return false;
  if (!first) return !run.problem;
  return run.task === first.task && run.split === first.split && run.dataset?.id === first.dataset?.id;
}

export function PickRuns({ info, ids }: { info: Info; ids: string[] }) {
  const first = info.runs.find((run) => run.id === ids[0]);
  const others = info.runs.filter((run) => !ids.includes(run.id) && fits(run, first));
  return (
    <form class="filters pick" onSubmit={(event) => event.preventDefault()}>
      <ul class="chips" aria-label="runs that are compared">
        {ids.map((id) => (
          <li key={id} class="chip">
            <a href={to.run(id)}>{id}</a>
            <button type="button" class="take_out" aria-label={`take ${id} out`} onClick={() => set_query({ runs: ids.filter((each) => each !== id).join(",") })}>
              ×
            </button>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <Choice
          label="add a run"
          value=""
          options={[{ value: "", text: "choose …" }, ...others.map((run) => ({ value: run.id, text: run.id }))]}
          on_choose={(id) => id && go(to.compare([...ids, id]))}
        />
      )}
      {ids.length === 2 && (
        <button type="button" onClick={() => go(to.compare([...ids].reverse()))}>
          Swap
        </button>
      )}
    </form>
  );
}
