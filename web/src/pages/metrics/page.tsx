import { useTitle } from "../../lib/crumbs.ts";

export function Page() {
  useTitle("Metrics");
  return <h1>Metrics</h1>;
}
