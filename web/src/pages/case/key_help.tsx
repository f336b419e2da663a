// The keys of the viewer, over the page.
import { useEffect, useRef } from "preact/hooks";

import { gesture_table, key_name, key_table, type KeyGroup } from "../../viewer/keys.ts";

const groups: readonly KeyGroup[] = ["slices", "window", "view", "findings", "tools", "cases"];

export function KeyTable() {
  return (
    <div class="key_groups">
      {groups.map((group) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl>
            {key_table
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <div key={entry.action}>
                  <dt>
                    {entry.keys.map((key) => (
                      <kbd key={key}>{key_name(key)}</kbd>
                    ))}
                  </dt>
                  <dd>{entry.words}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      <section>
        <h3>mouse and fingers</h3>
        <dl>
          {gesture_table.map(({ gesture, words }) => (
            <div key={gesture}>
              <dt>{gesture}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}

export function KeyHelp({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} class="key_help" aria-label="keys" onClose={close}>
      <div class="key_help_head">
        <h2>Keys</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <KeyTable />
    </dialog>
  );
}
