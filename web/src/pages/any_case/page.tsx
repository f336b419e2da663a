import { useTitle } from "../../lib/crumbs.ts";

export function Page() {
  useTitle("Case");
  return <h1>Case</h1>;
}
