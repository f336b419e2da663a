// The way from home to the page, shown on top, and the title of the window.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

export interface Crumb {
  text: string;
  href?: string; // the last one has none: it is the page itself
}

export const crumbs = signal<Crumb[]>([]);

export function set_title(title: string, way: Crumb[]): void {
  document.title = title ? `${title} · Fiducial` : "Fiducial";
  crumbs.value = [...way, ...(title ? [{ text: title }] : [])];
}

// For a page: says what it is, again whenever that changes.
export function useTitle(title: string, way: Crumb[] = []): void {
  useEffect(() => set_title(title, way), [title, JSON.stringify(way)]);
}
