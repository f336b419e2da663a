// The organs of a case: listed once, their masks fetched when something asks for them.
import { useEffect, useState } from "preact/hooks";

import { get_json } from "../../api/client.ts";
import type { CaseValue, Organ } from "../../viewer/case_value.ts";

export interface Organs {
  readonly items: readonly Organ[];
  readonly error: string;
}

export const has_organs = (value: CaseValue): boolean => value.sets.some((set) => set.id === "organs" && set.available);

export function useOrgans(value: CaseValue): Organs {
  const [organs, set_organs] = useState<Organs>({ items: [], error: "" });
  useEffect(() => {
    if (!has_organs(value)) return;
    const control = new AbortController();
    const path = `cases/${encodeURIComponent(value.dataset)}/${encodeURIComponent(value.id)}/organs`;
    get_json<{ items: Organ[] }>(path, control.signal).then(
      ({ items }) => set_organs({ items, error: "" }),
      (error: unknown) => control.signal.aborted || set_organs({ items: [], error: error instanceof Error ? error.message : String(error) }),
    );
    return () => control.abort();
  }, [value]);
  return organs;
}
