// Three dimensions by NiiVue, which is fetched with this file only.

import { Niivue, NVImage, SLICE_TYPE, cmapper } from "@niivue/niivue";

import type { ThreeD } from "./three_d.ts";
import type { VolumeMeta } from "./volume.ts";

const header_bytes = 352;

// A NIfTI-1 file in memory: the one form in which its reader takes place and size as they are.
function nifti(meta: VolumeMeta, datatype: 2 | 4, voxels: Uint8Array): ArrayBuffer {
  const out = new ArrayBuffer(header_bytes + voxels.length);
  const view = new DataView(out);
  view.setInt32(0, 348, true);
  [3, ...meta.dimensions, 1, 1, 1, 1].forEach((n, i) => view.setInt16(40 + 2 * i, n, true));
  view.setInt16(70, datatype, true);
  view.setInt16(72, datatype === 4 ? 16 : 8, true);
  [1, ...meta.spacing_mm, 1, 1, 1, 1].forEach((mm, i) => view.setFloat32(76 + 4 * i, mm, true));
  view.setFloat32(108, header_bytes, true);
  view.setFloat32(112, 1, true); // slope
  view.setUint8(123, 2); // millimetres
  view.setInt16(254, 2, true); // the affine below says where it lies
  meta.affine.slice(0, 12).forEach((n, i) => view.setFloat32(280 + 4 * i, n, true));
  new Uint8Array(out, 344, 4).set([0x6e, 0x2b, 0x31, 0]); // "n+1"
  new Uint8Array(out, header_bytes).set(voxels);
  return out;
}

const bytes_of = (values: Int16Array): Uint8Array => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

function channels(colour: string): [number, number, number] {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (pen === null) return [255, 255, 255];
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [r, g, b] = pen.getImageData(0, 0, 1, 1).data;
  return [r ?? 255, g ?? 255, b ?? 255];
}

class NiivueScene implements ThreeD {
  private readonly niivue = new Niivue({
    backColor: [0, 0, 0, 1],
    show3Dcrosshair: true,
    crosshairColor: [0.42, 0.71, 1, 0.6],
    isColorbar: false,
    loadingText: "",
    dragAndDropEnabled: false,
    isOrientCube: true,
    textHeight: 0.04,
  });
  private meta: VolumeMeta | null = null;
  private overlay: NVImage | null = null;

  async open(canvas: HTMLCanvasElement): Promise<void> {
    await this.niivue.attachToCanvas(canvas);
    this.niivue.setSliceType(SLICE_TYPE.RENDER);
  }

  // Bone and what is denser; the air around stays clear.
  async volume(meta: VolumeMeta, hu: Int16Array): Promise<void> {
    this.meta = meta;
    const image = await NVImage.loadFromFile({ file: new File([nifti(meta, 4, bytes_of(hu))], "ct.nii"), name: "ct.nii", colormap: "gray", cal_min: 100, cal_max: 900 } as never);
    this.niivue.addVolume(image);
    this.niivue.setRenderAzimuthElevation(200, 10);
  }

  async labels(labels: Uint8Array, table: readonly string[]): Promise<void> {
    if (this.meta === null) return;
    if (this.overlay !== null) this.niivue.removeVolume(this.overlay);
    this.overlay = null;
    if (table.length === 0) {
      this.niivue.drawScene();
      return;
    }
    const image = await NVImage.loadFromFile({ file: new File([nifti(this.meta, 2, labels)], "masks.nii"), name: "masks.nii" } as never);
    const colours = [[0, 0, 0] as [number, number, number], ...table.map(channels)];
    image.colormapLabel = cmapper.makeLabelLut({
      R: colours.map((c) => c[0]),
      G: colours.map((c) => c[1]),
      B: colours.map((c) => c[2]),
      A: colours.map((_, i) => (i === 0 ? 0 : 255)),
      I: colours.map((_, i) => i),
      labels: colours.map((_, i) => String(i)),
    });
    this.niivue.addVolume(image);
    this.overlay = image;
  }

  go_to(mm: readonly [number, number, number]): void {
    this.niivue.scene.crosshairPos = this.niivue.mm2frac([mm[0], mm[1], mm[2]]);
    this.niivue.drawScene();
  }

  // Contexts are scarce: the browser gets this one back.
  close(): void {
    this.niivue.gl.getExtension("WEBGL_lose_context")?.loseContext();
    this.niivue.cleanup();
  }
}

export function make_three_d(): ThreeD {
  return new NiivueScene();
}
