// The images of a case: one large, the others as a strip. Scrolling goes through them as through a stack.
import { useEffect, useRef, useState } from "preact/hooks";

import type { QuestionImage } from "../../api/types.ts";
import { place, set_query } from "../../lib/router.ts";
import { is_copy } from "../../lib/root.ts";
import { Empty } from "../../widgets/states.tsx";
import { gallery_keys } from "./gallery_keys.ts";
import { PictureView } from "./picture_view.ts";

function shown_index(count: number): number {
  const asked = Number(place.value.query.get("image") ?? 1);
  return Number.isInteger(asked) ? Math.min(Math.max(asked, 1), count) - 1 : 0;
}

// A copy has the images alone; a server makes small ones of them.
const small = (image: QuestionImage): string => (is_copy ? image.url : `${image.url}/thumb?side=144`);

function Strip({ images, index }: { images: QuestionImage[]; index: number }) {
  const film = useRef<HTMLOListElement>(null);
  useEffect(() => {
    film.current?.children[index]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [index]);
  if (images.length < 2) return null;
  return (
    <ol class="film" aria-label="images" ref={film}>
      {images.map((image, i) => (
        <li key={i}>
          <button type="button" aria-current={i === index ? "true" : undefined} onClick={() => set_query({ image: i + 1 })}>
            <img src={small(image)} alt="" loading="lazy" />
            <span class="number_tag">{i + 1}</span>
            <span class="out_of_sight">
              image {i + 1}: {image.modality}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function Tools({ view, grey, text }: { view: PictureView | null; grey: boolean; text: string }) {
  return (
    <div class="picture_tools">
      <span class="mono" role="status">
        {text}
      </span>
      <span class="buttons">
        <button type="button" onClick={() => view?.zoom_by(1.25)} aria-label="zoom in">
          +
        </button>
        <button type="button" onClick={() => view?.zoom_by(0.8)} aria-label="zoom out">
          −
        </button>
        <button type="button" onClick={() => view?.fit()}>
          fit
        </button>
        <button type="button" onClick={() => view?.invert()} aria-label="invert">
          ◑
        </button>
      </span>
      {grey && (
        <>
          <label>
            level <input type="range" min="0" max="255" value={view?.window.level ?? 128} onInput={(event) => view?.set_window(view.window.width, Number(event.currentTarget.value))} />
          </label>
          <label>
            width <input type="range" min="1" max="512" value={view?.window.width ?? 256} onInput={(event) => view?.set_window(Number(event.currentTarget.value), view.window.level)} />
          </label>
        </>
      )}
    </div>
  );
}

function Caption({ image, number, count }: { image: QuestionImage; number: number; count: number }) {
  const kind = [image.modality, image.sub_modality].filter(Boolean).join(" · ");
  return (
    <figcaption>
      <p class="small quiet">
        image {number} of {count}
        {kind && ` · ${kind}`}
        {image.label && image.label !== image.modality && ` · ${image.label}`}
      </p>
      <p>{image.caption ?? <span class="quiet">This image has no caption.</span>}</p>
    </figcaption>
  );
}

export function Gallery({ images }: { images: QuestionImage[] }) {
  const holder = useRef<HTMLDivElement>(null);
  const [view, set_view] = useState<PictureView | null>(null);
  const [text, set_text] = useState("");
  const [failed, set_failed] = useState<string | null>(null);
  const index = shown_index(images.length);
  const image = images[index];
  useEffect(() => {
    if (!holder.current) return;
    const made = new PictureView(holder.current, {
      changed: (said) => set_text(said),
      step: (by) => set_query({ image: Math.min(Math.max(shown_index(images.length) + by, 0), images.length - 1) + 1 }),
      several: images.length > 1,
    });
    set_view(made);
    const press = gallery_keys(made, (by) => set_query({ image: Math.min(Math.max(shown_index(images.length) + by, 0), images.length - 1) + 1 }));
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("keydown", press);
      made.close();
    };
  }, [images.length]);
  useEffect(() => {
    if (!view || !image) return;
    set_failed(null);
    view.show(image.url).catch((error: unknown) => set_failed(error instanceof Error ? error.message : String(error)));
  }, [view, image?.url]);
  if (!image)
    return (
      <div class="gallery">
        <Empty title="No image is served">The images of this case are not beside the dataset; `fiducial info DIR --needs` lists what is missing.</Empty>
      </div>
    );
  return (
    <figure class="gallery">
      <div class="picture" ref={holder} role="img" aria-label={`image ${index + 1} of ${images.length}: ${image.caption ?? image.modality ?? "no caption"}`} />
      {failed && (
        <p class="picture_failed" role="alert">
          ⚠ This image cannot be shown: {failed}
        </p>
      )}
      <Tools view={view} grey={view?.is_grey ?? false} text={text} />
      <Caption image={image} number={index + 1} count={images.length} />
      <Strip images={images} index={index} />
    </figure>
  );
}
