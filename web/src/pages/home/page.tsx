import { useTitle } from "../../lib/crumbs.ts";

export function Page() {
  useTitle("Home");
  return <h1>Home</h1>;
}
