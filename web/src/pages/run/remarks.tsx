// What was missing, failed or odd.
import type { RunPage } from "../../api/types.ts";
import { grouped } from "../../lib/numbers.ts";
import { row_address } from "../../lib/row_links.ts";

export function Remarks({ run }: { run: RunPage }) {
  const remarks = run.summary.remarks ?? [];
  const left_out = Object.entries(run.summary.remarks_left_out ?? {});
  if (remarks.length === 0)
    return (
      <section aria-labelledby="remarks">
        <h2 id="remarks">Remarks</h2>
        <p class="quiet">Every prediction was read; nothing was missing or odd.</p>
      </section>
    );
  return (
    <section aria-labelledby="remarks">
      <h2 id="remarks">Remarks</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">case</th>
            <th scope="col">code</th>
            <th scope="col">what</th>
          </tr>
        </thead>
        <tbody>
          {remarks.slice(0, 100).map((remark, i) => {
            const address = remark.code === "unknown_file" ? null : row_address({ case: remark.case, finding: null }, run.dataset?.id, run.id, run.task);
            return (
              <tr key={i}>
                <td>{address ? <a href={address}>{remark.case}</a> : remark.case}</td>
                <td>
                  <span class={remark.failed ? "badge bad" : "badge"}>{remark.code}</span>
                </td>
                <td>{remark.text}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {left_out.map(([code, count]) => (
        <p key={code} class="small quiet">
          {grouped(count)} more of <code>{code}</code>
        </p>
      ))}
    </section>
  );
}
