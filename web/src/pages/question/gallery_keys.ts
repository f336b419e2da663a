// Keys of the gallery; they have the same meaning as in the CT viewer where both have the thing.
import type { PictureView } from "./picture_view.ts";

export interface GalleryKey {
  keys: string[];
  does: string;
  act: (view: PictureView, step: (by: number) => void) => void;
}

const pan_pixels = 40;

export const gallery_key_list: GalleryKey[] = [
  { keys: ["ArrowDown", "n"], does: "next image", act: (_, step) => step(1) },
  { keys: ["ArrowUp", "p"], does: "previous image", act: (_, step) => step(-1) },
  { keys: ["Home"], does: "first image", act: (_, step) => step(-1000) },
  { keys: ["End"], does: "last image", act: (_, step) => step(1000) },
  { keys: ["+"], does: "zoom in", act: (view) => view.zoom_by(1.25) },
  { keys: ["-"], does: "zoom out", act: (view) => view.zoom_by(0.8) },
  { keys: ["Shift+ArrowLeft"], does: "look further left", act: (view) => view.pan(pan_pixels, 0) },
  { keys: ["Shift+ArrowRight"], does: "look further right", act: (view) => view.pan(-pan_pixels, 0) },
  { keys: ["Shift+ArrowUp"], does: "look further up", act: (view) => view.pan(0, pan_pixels) },
  { keys: ["Shift+ArrowDown"], does: "look further down", act: (view) => view.pan(0, -pan_pixels) },
  { keys: ["="], does: "fit", act: (view) => view.fit() },
  { keys: ["0"], does: "the file's own window", act: (view) => view.set_window(256, 128) },
  { keys: ["i"], does: "invert", act: (view) => view.invert() },
];

export function gallery_keys(view: PictureView, step: (by: number) => void): (event: KeyboardEvent) => void {
  return (event) => {
    const typing = event.target instanceof Element && event.target.closest("input, select, textarea, pre");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const pressed = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
    const found = gallery_key_list.find((each) => each.keys.includes(pressed));
    if (!found) return;
    event.preventDefault();
    found.act(view, step);
  };
}
