// The scan itself where its CT is served: one slice as the server draws it, with the organs of the chosen region.
import { useState } from "preact/hooks";

import { get_json } from "../../api/client.ts";
import type { Case } from "../../api/types.ts";
import { useLoaded } from "../../lib/loaded.ts";
import { query_text } from "../../lib/route.ts";
import { place } from "../../lib/router.ts";

interface Organ {
  id: number;
  name: string;
}

interface Meta {
  dimensions: [number, number, number];
  pictures: boolean;
}

const most_organs = 12;

async function organs_of(record: Case, signal: AbortSignal): Promise<Organ[]> {
  const path = `cases/${encodeURIComponent(record.dataset)}/${encodeURIComponent(record.id)}/organs`;
  const answer = await get_json<{ items: Organ[] }>(path, signal);
  return answer.items;
}

export function ScanPicture({ record }: { record: Case }) {
  const available = record.volume?.available === true;
  const has_organs = record.sets.some((set) => set.id === "organs" && set.available);
  const loaded = useLoaded(`scan ${record.dataset} ${record.id}`, async (signal) => {
    if (!record.volume || !available) return null;
    const meta = await get_json<Meta>(`${record.volume.base}/meta`, signal);
    return { meta, organs: has_organs ? await organs_of(record, signal) : [] };
  });
  const [moved, move] = useState<number | null>(null);
  if (!record.volume) return null;
  if (!available) return <p class="quiet small">{record.volume.reason}</p>;
  if (!loaded.value) return null;
  const { meta, organs } = loaded.value;
  if (!meta.pictures) return <p class="quiet small">Slices beside tables are drawn by a server; a copy has none.</p>;
  const slices = meta.dimensions[1];
  const slice = moved ?? Math.floor(slices / 2);
  const region = record.regions.find((each) => each.region === place.value.query.get("region"));
  const lit = organs.filter((organ) => region?.organs.includes(organ.name)).slice(0, most_organs);
  const query = query_text({ l: -600, w: 1500, masks: lit.map((organ) => `organs:${organ.id}`).join(","), mode: "fill" });
  return (
    <figure class="scan">
      <img src={`${record.volume.base}/slice/coronal/${slice}.png${query}`} alt={`coronal slice ${slice + 1} of ${slices}${lit.length ? `, lit: ${lit.map((organ) => organ.name).join(", ")}` : ""}`} />
      <figcaption>
        <label>
          coronal slice {slice + 1} of {slices}
          <input type="range" min={0} max={slices - 1} value={slice} onInput={(event) => move(Number(event.currentTarget.value))} />
        </label>
        {region && <p class="small quiet">{lit.length ? `lit: ${lit.map((organ) => organ.name).join(", ")}` : "No organ mask of this region is served."}</p>}
      </figcaption>
    </figure>
  );
}
