import { useTitle } from "../../lib/crumbs.ts";

export function Page() {
  useTitle("Dataset");
  return <h1>Dataset</h1>;
}
