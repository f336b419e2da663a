// Stands for zarrita, which NiiVue names for a format that is never opened here: its codecs are 1.4 MB.

const refuse = (): never => {
  throw new Error("Zarr is not read here");
};

export const open = Object.assign(refuse, { v2: refuse, v3: refuse });
export const root = refuse;
export const get = refuse;
export const slice = refuse;
export const registry = new Map<string, unknown>();
export class FetchStore {}
export class Array {}
export class Group {}
