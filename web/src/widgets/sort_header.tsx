// The head of a column that sorts: says how it is sorted now and sorts the other way when pressed.
export type Order = "asc" | "desc";

export function SortHeader(props: { text: string; name: string; sort: string; order: Order; number?: boolean; on_sort: (name: string, order: Order) => void }) {
  const { text, name, sort, order, number, on_sort } = props;
  const mine = sort === name;
  const next: Order = mine && order === "asc" ? "desc" : "asc";
  return (
    <th scope="col" class={number ? "number" : ""} aria-sort={mine ? (order === "asc" ? "ascending" : "descending") : "none"}>
      <button type="button" class="sort" onClick={() => on_sort(name, next)}>
        {text}
        <span aria-hidden="true">{mine ? (order === "asc" ? " ↑" : " ↓") : " ↕"}</span>
      </button>
    </th>
  );
}
