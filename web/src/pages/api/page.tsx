// The API, from its own OpenAPI document: no script of others, nothing fetched from elsewhere.
import { ask } from "../../api/ask.ts";
import { useTitle } from "../../lib/crumbs.ts";
import { useLoaded } from "../../lib/loaded.ts";
import { root_path } from "../../lib/root.ts";
import { operations_of, type Operation } from "../../lib/operations.ts";
import { When } from "../../widgets/states.tsx";

function Shown({ operation }: { operation: Operation }) {
  return (
    <li class="card">
      <h2>
        <code>
          {operation.method} {operation.path}
        </code>
      </h2>
      <p>{operation.summary}</p>
      {operation.parameters.length > 0 && (
        <dl class="facts small">
          {operation.parameters.map((parameter) => (
            <div key={parameter.name}>
              <dt>
                <code>{parameter.name}</code>
              </dt>
              <dd class="quiet">
                {parameter.place}
                {parameter.required && ", required"}
                {parameter.description && ` · ${parameter.description}`}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p class="small quiet">answers {operation.types.join(", ") || "nothing"}</p>
    </li>
  );
}

export function Page() {
  useTitle("API");
  const loaded = useLoaded("openapi", ask.openapi);
  return (
    <div class="stacked">
      <h1>API</h1>
      <p class="quiet">
        Everything on these pages comes from here. The document itself: <a href={`${root_path}/api/v1/openapi.json`}>openapi.json</a>, OpenAPI 3.1.
      </p>
      <When loaded={loaded} what="the API">
        {(document) => (
          <ol class="operations">
            {operations_of(document).map((operation) => (
              <Shown key={operation.method + operation.path} operation={operation} />
            ))}
          </ol>
        )}
      </When>
    </div>
  );
}
