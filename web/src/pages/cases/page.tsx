import { useTitle } from "../../lib/crumbs.ts";

export function Page() {
  useTitle("Cases");
  return <h1>Cases</h1>;
}
