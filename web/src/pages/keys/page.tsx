// The keys of the case viewer, from the table it listens by.
import "../case/case.css";

import { useTitle } from "../../lib/crumbs.ts";
import { KeyTable } from "../case/key_help.tsx";

export function Page() {
  useTitle("Keys");
  return (
    <>
      <h1>Keys</h1>
      <p class="quiet">They work on the page of a case, on the plane under the pointer; text fields keep theirs.</p>
      <KeyTable />
    </>
  );
}
