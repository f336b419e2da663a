// A case of any kind: asks for it, and shows the page of its kind.
import type { ComponentType } from "preact";

import { ask } from "../../api/ask.ts";
import type { Case } from "../../api/types.ts";
import { useTitle } from "../../lib/crumbs.ts";
import { useLoaded } from "../../lib/loaded.ts";
import { to } from "../../lib/route.ts";
import { place } from "../../lib/router.ts";
import type { PageProps } from "../../routes.ts";
import { When } from "../../widgets/states.tsx";

export interface CaseProps {
  case_record: Case;
}

async function page_of(found: Case): Promise<ComponentType<CaseProps>> {
  if (found.kind === "questions") return (await import("../question/page.tsx")).Page;
  const as_tables = found.volume?.available !== true || place.value.query.get("as") === "tables";
  if (found.kind === "tables" && as_tables) return (await import("../region_tables/page.tsx")).Page;
  return (await import("../case/page.tsx")).Page;
}

export function Page({ params }: PageProps) {
  const dataset = params["dataset"] ?? "";
  const id = params["case"] ?? "";
  useTitle(id, [
    { text: dataset, href: to.dataset(dataset) },
    { text: "cases", href: to.cases(dataset) },
  ]);
  const loaded = useLoaded(`case ${dataset} ${id} ${place.value.query.get("as") ?? ""}`, async (signal) => {
    const found = await ask.case(dataset, id, signal);
    return { found, Shown: await page_of(found) };
  });
  return (
    <div class={loaded.state === "failed" || loaded.value === null ? "page" : ""}>
      <When loaded={loaded} what="the case" title={id}>
        {({ found, Shown }) => <Shown key={found.id} case_record={found} />}
      </When>
    </div>
  );
}
