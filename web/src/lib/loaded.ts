// What a page is waiting for: one value that is loading, there or failed.
import { useEffect, useState } from "preact/hooks";

import { RequestFailed, type Problem } from "../api/problem.ts";

export type Loaded<T> =
  | { state: "loading"; value: T | null } // the value of the address before, until the new one is there
  | { state: "ready"; value: T }
  | { state: "failed"; value: T | null; problem: Problem; retry: () => void };

function problem_of(error: unknown): Problem {
  if (error instanceof RequestFailed) return error.problem;
  const detail = error instanceof Error ? error.message : String(error);
  return { title: "This page failed", status: 0, code: "page_failed", detail };
}

// Loads again whenever `key` changes; an answer that was overtaken is dropped.
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [attempt, set_attempt] = useState(0);
  const [loaded, set_loaded] = useState<Loaded<T>>({ state: "loading", value: null });
  useEffect(() => {
    const controller = new AbortController();
    set_loaded((before) => ({ state: "loading", value: before.value }));
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) set_loaded({ state: "ready", value });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const retry = (): void => set_attempt((count) => count + 1);
        set_loaded((before) => ({ state: "failed", value: before.value, problem: problem_of(error), retry }));
      },
    );
    return () => controller.abort();
  }, [key, attempt]);
  return loaded;
}
