import { useTitle } from "../../lib/crumbs.ts";

export function Page() {
  useTitle("Metric");
  return <h1>Metric</h1>;
}
