import { useTitle } from "../../lib/crumbs.ts";

export function Page() {
  useTitle("Scorecard");
  return <h1>Scorecard</h1>;
}
