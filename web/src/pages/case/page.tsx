import type { Case } from "../../api/types.ts";

export function Page({ case_record }: { case_record: Case }) {
  return (
    <div class="page">
      <h1>{case_record.title}</h1>
    </div>
  );
}
