// A search field: "/" puts the cursor into it, and it asks 200 ms after the last key.
import { useEffect, useRef } from "preact/hooks";

export function Search({ label, value, on_search }: { label: string; value: string; on_search: (text: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const typing = event.target instanceof Element && event.target.closest("input, select, textarea");
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <label class="choice search">
      <span class="small quiet">
        {label} <kbd>/</kbd>
      </span>
      <input
        ref={field}
        type="search"
        value={value}
        onInput={(event) => {
          const text = event.currentTarget.value;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => on_search(text), 200);
        }}
      />
    </label>
  );
}
