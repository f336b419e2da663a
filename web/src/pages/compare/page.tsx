import { useTitle } from "../../lib/crumbs.ts";

export function Page() {
  useTitle("Compare");
  return <h1>Compare</h1>;
}
