// Two pictures that the check finds alike, side by side; each opens its case.
import { useState } from "preact/hooks";

import { ask } from "../../api/ask.ts";
import type { LintFinding, QuestionImage } from "../../api/types.ts";
import { pictures_in, type NamedPicture } from "../../lib/lint_place.ts";
import { useLoaded } from "../../lib/loaded.ts";
import { to } from "../../lib/route.ts";
import { When } from "../../widgets/states.tsx";

interface Shown {
  picture: NamedPicture;
  image: QuestionImage | undefined;
  number: number;
}

async function found_pictures(dataset: string, pictures: NamedPicture[], signal: AbortSignal): Promise<Shown[]> {
  return Promise.all(
    pictures.map(async (picture) => {
      const images = (await ask.case(dataset, picture.case_id, signal)).question?.images ?? [];
      const at = images.findIndex((image) => image.label === picture.label);
      return { picture, image: images[at], number: at + 1 };
    }),
  );
}

function Pair({ dataset, pictures }: { dataset: string; pictures: NamedPicture[] }) {
  const loaded = useLoaded(JSON.stringify([dataset, pictures]), (signal) => found_pictures(dataset, pictures, signal));
  return (
    <When loaded={loaded} what="both pictures">
      {(shown) => (
        <div class="alike">
          {shown.map(({ picture, image, number }) => (
            <figure key={picture.case_id + picture.label}>
              {image && <img src={image.url} alt={image.caption ?? "picture"} loading="lazy" />}
              <figcaption class="small">
                <a href={to.case(dataset, picture.case_id, { image: number || null })}>case {picture.case_id}</a>
              </figcaption>
            </figure>
          ))}
        </div>
      )}
    </When>
  );
}

export function Alike({ finding, dataset }: { finding: LintFinding; dataset: string }) {
  const [open, set_open] = useState(false);
  const pictures = pictures_in(finding);
  if (pictures.length !== 2) return null;
  return (
    <details onToggle={(event) => set_open(event.currentTarget.open)}>
      <summary>side by side</summary>
      {open && <Pair dataset={dataset} pictures={pictures} />}
    </details>
  );
}
