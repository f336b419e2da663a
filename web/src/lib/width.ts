// How wide the place of a drawing is.
import { useEffect, useState } from "preact/hooks";

// As wide as its place, so that letters keep their size on a phone.
export function useWidth(frame: { current: HTMLElement | null }): number {
  const [width, set_width] = useState(640);
  useEffect(() => {
    if (frame.current === null) return;
    const sizes = new ResizeObserver(([entry]) => entry && set_width(Math.max(240, Math.round(entry.contentRect.width))));
    sizes.observe(frame.current);
    return () => sizes.disconnect();
  }, []);
  return width;
}
