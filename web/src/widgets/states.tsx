// The four written states of a page: loading, empty, partial, failed.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { Problem } from "../api/problem.ts";
import type { Loaded } from "../lib/loaded.ts";

// Appears after 150 ms, so that quick answers do not flicker; after two seconds it says in sight what it waits for.
export function Loading({ what }: { what: string }) {
  const [waited, wait] = useState(0);
  useEffect(() => {
    const timers = [150, 2000].map((milliseconds) => setTimeout(() => wait(milliseconds), milliseconds));
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <div role="status">
      <p class={waited < 2000 ? "out_of_sight" : "quiet small"}>Loading {what}</p>
      {waited > 0 && (
        <div class="skeleton" aria-hidden="true">
          <span /> <span /> <span /> <span />
        </div>
      )}
    </div>
  );
}

export function Empty({ title, children, command }: { title: string; children?: ComponentChildren; command?: string }) {
  return (
    <div class="notice empty">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {command && <pre>{command}</pre>}
    </div>
  );
}

export function Partial({ children }: { children: ComponentChildren }) {
  return (
    <p class="quiet small" role="status">
      {children}
    </p>
  );
}

export function Failed({ problem, retry }: { problem: Problem; retry?: () => void }) {
  return (
    <div class="notice failed" role="alert">
      <h2 class="fault">
        <span aria-hidden="true">⚠ </span>
        {problem.title}
      </h2>
      {problem.detail && <p>{problem.detail}</p>}
      {problem.place && <p class="quiet">{problem.place}</p>}
      <p class="small quiet">
        code <code>{problem.code}</code>
        {problem.status > 0 && <>, status {problem.status}</>}
      </p>
      {retry && (
        <button type="button" onClick={retry}>
          Retry
        </button>
      )}
    </div>
  );
}

// Shows the page of a value that is there; what was there before stays while the next one loads. A page whose heading comes
// with its value gives a title, so that it has one before.
export function When<T>(props: { loaded: Loaded<T>; what: string; title?: string; children: (value: T) => ComponentChildren }) {
  const { loaded, what, title, children } = props;
  const waiting = loaded.state !== "failed" && loaded.value === null;
  if (loaded.state === "failed" || waiting)
    return (
      <>
        {title && <h1>{title}</h1>}
        {loaded.state === "failed" ? <Failed problem={loaded.problem} retry={loaded.retry} /> : <Loading what={what} />}
      </>
    );
  if (loaded.value === null) return null;
  return <>{children(loaded.value)}</>;
}
