// What an OpenAPI document offers, as a flat list.
export interface Parameter {
  name: string;
  place: string;
  required: boolean;
  description: string;
}

export interface Operation {
  method: string;
  path: string;
  summary: string;
  parameters: Parameter[];
  types: string[]; // of the answer that succeeds
}

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const text = (value: unknown): string => (typeof value === "string" ? value : "");

function parameter_of(value: unknown): Parameter {
  const parameter = fields(value);
  return {
    name: text(parameter["name"]),
    place: text(parameter["in"]),
    required: parameter["required"] === true,
    description: text(parameter["description"]),
  };
}

export function operations_of(document: unknown): Operation[] {
  return Object.entries(fields(fields(document)["paths"])).flatMap(([path, methods]) =>
    Object.entries(fields(methods)).map(([method, value]) => {
      const operation = fields(value);
      const success = fields(fields(operation["responses"])["200"]);
      const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"] : [];
      return {
        method: method.toUpperCase(),
        path,
        summary: text(operation["summary"]),
        parameters: parameters.map(parameter_of),
        types: Object.keys(fields(success["content"])),
      };
    }),
  );
}
