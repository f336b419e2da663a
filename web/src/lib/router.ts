// Where the reader is: the path and the query of the address bar, as signals, and how to go elsewhere.
import { signal } from "@preact/signals";

import { below_root, is_copy, root_path } from "./root.ts";

export interface Place {
  path: string;
  query: URLSearchParams;
}

export const place = signal<Place>({ path: "/", query: new URLSearchParams() });

function read(): Place {
  return { path: window.location.pathname, query: new URLSearchParams(window.location.search) };
}

// Goes to an address of the app. `replace` keeps the back button from stopping at every slice.
export function go(address: string, replace = false): void {
  if (address === window.location.pathname + window.location.search) return;
  const before = window.location.pathname;
  window.history[replace ? "replaceState" : "pushState"](null, "", address);
  place.value = read();
  if (window.location.pathname !== before) window.scrollTo(0, 0);
}

// The same path with some of its query changed; null and "" take a name out.
export function with_query(changes: Record<string, string | number | null | undefined>): string {
  const query = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") query.delete(name);
    else query.set(name, String(value));
  }
  const text = query.toString();
  return window.location.pathname + (text ? "?" + text : "");
}

export function set_query(changes: Record<string, string | number | null | undefined>, replace = true): void {
  go(with_query(changes), replace);
}

// A click on a link of ours changes the page without loading it anew; everything else is the browser's.
function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== window.location.origin) return;
  if (below_root(link.pathname).startsWith("/api/")) return;
  if (root_path && !link.pathname.startsWith(`${root_path}/`)) return;
  const here = link.pathname === window.location.pathname && link.search === window.location.search;
  if (here && link.hash) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

// Files that the page names relative to where it was opened stay the same when its address changes.
function fix_links(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[href]")) link.setAttribute("href", link.href);
}

export function start_router(): void {
  if (is_copy) fix_links();
  place.value = read();
  window.addEventListener("popstate", () => {
    place.value = read();
  });
  document.addEventListener("click", follow);
}
