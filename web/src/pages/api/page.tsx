import { useTitle } from "../../lib/crumbs.ts";

export function Page() {
  useTitle("API");
  return <h1>API</h1>;
}
