// The one way to the server. Every request stays on the app's own origin.
import { signal } from "@preact/signals";

import { copied_bytes, copied_csv, copied_json } from "./copy.ts";
import { read_problem, RequestFailed, unreachable } from "./problem.ts";
import { is_copy } from "../lib/root.ts";

export const root = "/api/v1";

// False while the last request got no answer at all.
export const connected = signal(true);

async function answer_of(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path.startsWith("/") ? path : `${root}/${path}`, { credentials: "same-origin", ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    connected.value = false;
    throw new RequestFailed(unreachable);
  }
  connected.value = true;
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  throw new RequestFailed(read_problem(body, response.status));
}

export async function get_json<T>(path: string, signal?: AbortSignal): Promise<T> {
  if (is_copy) return (await copied_json(path, signal)) as T;
  const response = await answer_of(path, { headers: { Accept: "application/json" }, ...(signal ? { signal } : {}) });
  return (await response.json()) as T;
}

export async function get_bytes(path: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  const response = is_copy ? await copied_bytes(path, signal) : await answer_of(path, signal ? { signal } : {});
  return response.arrayBuffer();
}

// Asks with another Accept, for what is saved as a file.
export async function get_blob(path: string, accept: string): Promise<Blob> {
  if (is_copy) return copied_csv(path);
  const response = await answer_of(path, { headers: { Accept: accept } });
  return response.blob();
}
