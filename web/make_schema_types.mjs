// Writes the types of what the server answers from its schemas, or says where they have drifted apart.
// usage: node make_schema_types.mjs SCHEMAS.json TYPES.ts [--check]
import { readFileSync, writeFileSync } from "node:fs";

const simple = { string: "string", integer: "number", number: "number", boolean: "boolean", null: "null" };
const name_of = (reference) => reference.slice(reference.lastIndexOf("/") + 1);

function object_type(schema, indent) {
  const inner = indent + "  ";
  const required = new Set(schema.required ?? []);
  const lines = Object.entries(schema.properties ?? {}).map(
    ([name, value]) => `${inner}${name}${required.has(name) ? "" : "?"}: ${type_of(value, inner)};`,
  );
  const others = schema.additionalProperties;
  if (lines.length === 0) return typeof others === "object" ? `Record<string, ${type_of(others, indent)}>` : "Record<string, unknown>";
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function array_type(schema, indent) {
  const item = type_of(schema.items ?? {}, indent);
  if (schema.minItems !== undefined && schema.minItems === schema.maxItems) return `[${Array(schema.minItems).fill(item).join(", ")}]`;
  return /^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
}

function of_kind(kind, schema, indent) {
  if (kind === "object") return object_type(schema, indent);
  if (kind === "array") return array_type(schema, indent);
  return simple[kind] ?? "unknown";
}

function type_of(schema, indent) {
  if (schema.$ref) return name_of(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return several.map((each) => type_of(each, indent)).join(" | ");
  if (schema.allOf) return schema.allOf.map((each) => type_of(each, indent)).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((kind) => of_kind(kind, schema, indent)).join(" | ");
  return of_kind(schema.type, schema, indent);
}

function types_of(schemas) {
  const head = "// Made by web/make_schema_types.mjs from the server's schemas (api_schemas.json): change those.\n";
  const spelt = Object.entries(schemas).filter(([, schema]) => schema.type || schema.allOf || schema.anyOf);
  return [head, ...spelt.map(([name, schema]) => `export type ${name} = ${type_of(schema, "")};\n`)].join("\n");
}

const [schemas, target, check] = process.argv.slice(2);
const made = types_of(JSON.parse(readFileSync(schemas, "utf8")));
if (check === "--check") {
  if (readFileSync(target, "utf8") !== made) {
    console.error(`${target} is not what ${schemas} says; run: node web/make_schema_types.mjs ${schemas} ${target}`);
    process.exit(1);
  }
  console.log(`${target}: as the schemas say`);
} else {
  writeFileSync(target, made);
}
