import { useTitle } from "../../lib/crumbs.ts";

export function Page() {
  useTitle("Rows");
  return <h1>Rows</h1>;
}
