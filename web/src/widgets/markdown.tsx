// A card's Markdown as elements; nothing in it is ever taken for HTML.
import { blocks_of, inlines_of, type Block } from "../lib/markdown.ts";

function Words({ text }: { text: string }) {
  return (
    <>
      {inlines_of(text).map((part, i) => {
        if (part.kind === "code") return <code key={i}>{part.text}</code>;
        if (part.kind === "strong") return <strong key={i}>{part.text}</strong>;
        if (part.kind === "link")
          return (
            <a key={i} href={part.href} rel="noreferrer noopener" target="_blank">
              {part.text}
            </a>
          );
        return part.text;
      })}
    </>
  );
}

function Shown({ block }: { block: Block }) {
  if (block.kind === "heading") return block.level <= 2 ? <h3>{block.text}</h3> : <h4>{block.text}</h4>;
  if (block.kind === "code") return <pre tabIndex={0}>{block.text}</pre>;
  if (block.kind === "quote")
    return (
      <blockquote>
        <Words text={block.text} />
      </blockquote>
    );
  if (block.kind === "paragraph")
    return (
      <p>
        <Words text={block.text} />
      </p>
    );
  if (block.kind === "list")
    return (
      <ul>
        {block.items.map((item, i) => (
          <li key={i}>
            <Words text={item} />
          </li>
        ))}
      </ul>
    );
  return (
    <div class="scrolls" tabIndex={0} role="group" aria-label="table of the card">
      <table>
        <thead>
          <tr>
            {block.head.map((cell, i) => (
              <th key={i} scope="col">
                {cell || <span class="out_of_sight">what</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, j) => (
                <td key={j}>
                  <Words text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Markdown({ text }: { text: string }) {
  return (
    <div class="markdown">
      {blocks_of(text).map((block, i) => (
        <Shown key={i} block={block} />
      ))}
    </div>
  );
}
