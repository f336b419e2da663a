// Every key, from the same tables that the pages listen by.
import "../case/case.css";

import { useTitle } from "../../lib/crumbs.ts";
import { key_name } from "../../viewer/keys.ts";
import { KeyTable } from "../case/key_help.tsx";
import { gallery_key_list } from "../question/gallery_keys.ts";

interface Line {
  keys: string[];
  does: string;
}

const everywhere: Line[] = [
  { keys: ["/"], does: "search, where a page has a search field" },
  { keys: [".", ","], does: "next, previous case" },
  { keys: ["Tab"], does: "the next control; Enter or Space presses it" },
];

const question: Line[] = [...gallery_key_list, { keys: ["h"], does: "hide or show key and answers" }];

function Lines({ title, lines }: { title: string; lines: Line[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {lines.map((line) => (
          <div key={line.does}>
            <dt>
              {line.keys.map((key) => (
                <kbd key={key}>{key_name(key)}</kbd>
              ))}
            </dt>
            <dd>{line.does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function Page() {
  useTitle("keys");
  return (
    <div class="stacked">
      <h1>Keys</h1>
      <p class="quiet">They act on the picture under the pointer or with the focus; text fields keep theirs.</p>
      <h2>CT cases</h2>
      <KeyTable />
      <h2>Other pages</h2>
      <div class="key_groups">
        <Lines title="everywhere" lines={everywhere} />
        <Lines title="images of a question" lines={question} />
      </div>
    </div>
  );
}
