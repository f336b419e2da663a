// A labelled drop-down.
export interface Option {
  value: string;
  text: string;
}

export function Choice(props: { label: string; value: string; options: Option[]; on_choose: (value: string) => void }) {
  const { label, value, options, on_choose } = props;
  return (
    <label class="choice">
      <span class="small quiet">{label}</span>
      <select value={value} onChange={(event) => on_choose(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}
