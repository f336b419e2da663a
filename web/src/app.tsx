// The shell: the bar on top, the page of the address, and what stands in place of pages that are not there.
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { connected } from "./api/client.ts";
import { crumbs, set_title } from "./lib/crumbs.ts";
import { useLoaded } from "./lib/loaded.ts";
import { match_path, to, type Params } from "./lib/route.ts";
import { below_root } from "./lib/root.ts";
import { go, place, start_router } from "./lib/router.ts";
import { choose_theme, next_theme, start_theme, theme } from "./lib/theme.ts";
import { routes, type PageProps, type Route } from "./routes.ts";
import { Empty, Failed, Loading } from "./widgets/states.tsx";

start_theme();
start_router();

function found(path: string): { route: Route; params: Params } | null {
  for (const route of routes) {
    const params = match_path(route.path, path);
    if (params) return { route, params };
  }
  return null;
}

function Brand() {
  return (
    <a class="brand" href={to.home()} aria-label="Fiducial, home">
      <svg viewBox="0 0 32 32" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.5">
        <circle cx="16" cy="16" r="8" />
        <path d="M16 2v10M16 20v10M2 16h10M20 16h10" />
      </svg>
      Fiducial
    </a>
  );
}

function Crumbs() {
  const list = crumbs.value;
  return (
    <nav class="crumbs" aria-label="Where you are">
      <ol>
        {list.map((crumb, i) => (
          <li key={i}>
            {crumb.href ? (
              <a href={crumb.href} title={crumb.text}>
                {crumb.text}
              </a>
            ) : (
              <span aria-current="page" title={crumb.text}>
                {crumb.text}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

const theme_words = { system: "as the system", dark: "dark", light: "light" };

function Topbar() {
  const now = theme.value;
  return (
    <header class="topbar">
      <Brand />
      <Crumbs />
      <div class="tools">
        <a href={to.metrics()}>metrics</a>
        <a href={to.api()}>API</a>
        <button type="button" onClick={() => choose_theme(next_theme(now))} title={`colours: ${theme_words[now]}`}>
          <span aria-hidden="true">◐</span>
          <span class="out_of_sight">colours: {theme_words[now]}, change</span>
        </button>
        <a href={to.keys()} title="keys">
          <span aria-hidden="true">?</span>
          <span class="out_of_sight">keys</span>
        </a>
      </div>
    </header>
  );
}

// The key ? opens the keys, unless the page has taken it already or someone is typing.
function open_keys(event: KeyboardEvent): void {
  const typing = event.target instanceof Element && event.target.closest("input, select, textarea");
  if (event.key !== "?" || typing || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  go(to.keys());
}

function NotFound() {
  return (
    <>
      <h1>Not found</h1>
      <Empty title="There is no such page">
        The address may be mistyped. <a href={to.home()}>Home</a> lists every dataset and run that is served.
      </Empty>
    </>
  );
}

// The page of the address, fetched when it is first opened.
function CurrentPage({ route, params }: { route: Route; params: Params }) {
  const loaded = useLoaded<{ path: string; Page: ComponentType<PageProps> }>(route.path, async () => ({
    path: route.path,
    Page: (await route.load()).Page,
  }));
  if (loaded.state === "failed") return <Failed problem={loaded.problem} retry={loaded.retry} />;
  if (!loaded.value || loaded.value.path !== route.path) return <Loading what={route.title} />;
  const { Page } = loaded.value;
  return <Page params={params} />;
}

export function App() {
  const path = place.value.path;
  const here = found(below_root(path));
  const main = useRef<HTMLElement>(null);
  const opened = useRef(path);
  useEffect(() => {
    if (!here) set_title("Not found", []);
    if (opened.current !== path) main.current?.focus({ preventScroll: true }); // a new page is read from its top
    opened.current = path;
  }, [path]);
  useEffect(() => {
    window.addEventListener("keydown", open_keys);
    return () => window.removeEventListener("keydown", open_keys);
  }, []);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <Topbar />
      {!connected.value && (
        <div class="lost_connection" role="status">
          The server does not answer. What is on the screen stays; nothing new arrives until it is back.
        </div>
      )}
      <main id="main" class={here?.route.wide ? "page wide" : "page"} tabIndex={-1} ref={main}>
        {here ? <CurrentPage route={here.route} params={here.params} /> : <NotFound />}
      </main>
    </div>
  );
}
