// Writes the built app as one C++ source: every file gzipped, with its type and the SHA-256 of its plain bytes.
// usage: node embed.mjs FOLDER SOURCE.cpp
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

// Bytes as a C++ string literal; octal escapes have three digits, so that no digit behind one joins it.
function literal(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += 64) {
    text += '\n    "';
    for (const byte of bytes.subarray(start, start + 64)) {
      const plain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92 && byte !== 63;
      text += plain ? String.fromCharCode(byte) : "\\" + byte.toString(8).padStart(3, "0");
    }
    text += '"';
  }
  return text || '\n    ""';
}

function entry(folder, name) {
  const plain = readFileSync(join(folder, name));
  // The page stands at every path of the app, so its files are named from the root.
  const bytes = name === "index.html" ? Buffer.from(plain.toString("utf8").replaceAll('="./', '="/')) : plain;
  const type = types[extname(name)];
  if (!type) throw new Error(`${name}: no media type for this ending; name one in web/embed.mjs`);
  const packed = gzipSync(bytes, { level: 9 });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { path: name.split(sep).join("/"), type, sha256, packed };
}

const [folder, source] = process.argv.slice(2);
const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile())
  .map((file) => relative(folder, join(file.parentPath, file.name)))
  .sort();
const files = names.map((name) => entry(folder, name));
const constants = files.map((file, i) => `constexpr char file_${i}[] =${literal(file.packed)};`);
const rows = files.map(
  (file, i) =>
    `    {"${file.path}", "${file.type}", "${file.sha256}", ` +
    `{reinterpret_cast<const std::byte*>(static_cast<const char*>(file_${i})), ${file.packed.length}}},`,
);
writeFileSync(
  source,
  `#include <array>
#include <cstddef>

#include "fiducial/server/embedded_app.h"

namespace fiducial {
namespace {

${constants.join("\n")}

}  // namespace

std::span<const EmbeddedFile> embedded_app() {
  static const std::array<EmbeddedFile, ${files.length}> files{{
${rows.join("\n")}
  }};
  return files;
}

}  // namespace fiducial
`,
);
const total = files.reduce((sum, file) => sum + file.packed.length, 0);
console.log(`web app: ${files.length} files, ${total} bytes gzipped`);
