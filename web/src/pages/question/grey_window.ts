// A window on the grey values of an 8-bit picture: what lies below is black, above white, between them linear.
export interface GreyWindow {
  width: number;
  level: number;
}

export function window_table({ width, level }: GreyWindow, inverted: boolean): Uint8ClampedArray {
  const table = new Uint8ClampedArray(256);
  for (let grey = 0; grey < 256; ++grey) {
    const share = (grey - level + width / 2) / Math.max(width, 1);
    const value = Math.round(255 * Math.min(Math.max(share, 0), 1));
    table[grey] = inverted ? 255 - value : value;
  }
  return table;
}

// The window that shows every grey value as it is in the file.
export const whole_window: GreyWindow = { width: 255, level: 127.5 };

export function is_whole(window: GreyWindow): boolean {
  return window.width >= 255 && window.width <= 256 && Math.abs(window.level - 127.5) <= 0.5;
}

// Whether a picture is grey, from some of its pixels (RGBA); JPEG leaves differences of a few steps.
export function looks_grey(pixels: Uint8ClampedArray, step = 97): boolean {
  for (let at = 0; at + 2 < pixels.length; at += 4 * step) {
    const [red = 0, green = 0, blue = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
    if (Math.abs(red - green) > 8 || Math.abs(green - blue) > 8) return false;
  }
  return true;
}
