import { useTitle } from "../../lib/crumbs.ts";

export function Page() {
  useTitle("Keys");
  return <h1>Keys</h1>;
}
