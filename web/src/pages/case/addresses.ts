// Another case, looked at in the same way.
import { to } from "../../lib/route.ts";
import type { CaseViewer } from "../../viewer/case_viewer.ts";
import { query_words, state_words } from "../../viewer/view_state.ts";

export function case_address(viewer: CaseViewer, id: string): string {
  const { w, run, vs, show, view } = state_words(viewer.state);
  const query = query_words({ w: w ?? null, run: run ?? null, vs: vs ?? null, show: show ?? null, view: view ?? null });
  return `${to.case(viewer.source.dataset, id)}?${query}`;
}
