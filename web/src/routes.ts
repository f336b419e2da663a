// Every page of the app, one line each. A page is a folder of src/pages; it is fetched when it is first opened.
import type { ComponentType } from "preact";

import type { Params } from "./lib/route.ts";

export interface PageProps {
  params: Params;
}

export interface Route {
  path: string;
  title: string; // of the document while the page loads; the page may set a better one
  wide?: boolean; // takes the whole window
  load: () => Promise<{ Page: ComponentType<PageProps> }>;
}

export const routes: Route[] = [
  { path: "/", title: "Home", load: () => import("./pages/home/page.tsx") },
  { path: "/d/:dataset", title: "Dataset", load: () => import("./pages/dataset/page.tsx") },
  { path: "/d/:dataset/cases", title: "Cases", load: () => import("./pages/cases/page.tsx") },
  { path: "/c/:dataset/:case", title: "Case", wide: true, load: () => import("./pages/any_case/page.tsx") },
  { path: "/r/:run", title: "Scorecard", load: () => import("./pages/run/page.tsx") },
  { path: "/r/:run/rows", title: "Rows", load: () => import("./pages/rows/page.tsx") },
  { path: "/compare", title: "Compare", load: () => import("./pages/compare/page.tsx") },
  { path: "/help/keys", title: "Keys", load: () => import("./pages/keys/page.tsx") },
  { path: "/help/metrics", title: "Metrics", load: () => import("./pages/metrics/page.tsx") },
  { path: "/help/metrics/:metric", title: "Metric", load: () => import("./pages/metric/page.tsx") },
  { path: "/api", title: "API", load: () => import("./pages/api/page.tsx") },
];
