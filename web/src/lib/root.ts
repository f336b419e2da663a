// Where the app lies: at the root of its server, or, as a copy that `fiducial serve --export` wrote, anywhere.
const told = typeof document === "undefined" ? null : document.querySelector<HTMLMetaElement>('meta[name="fiducial-copy"]');

// Whether files answer instead of the server.
export const is_copy = told !== null;
// What stands before every path of the app; nothing where the server answers.
export const root_path = told ? new URL(told.content, document.baseURI).pathname.replace(/\/+$/, "") : "";

// A path of the address bar as the app's routes know it.
export function below_root(path: string): string {
  return path.startsWith(`${root_path}/`) ? path.slice(root_path.length) : "/";
}
