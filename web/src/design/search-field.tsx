import { useId } from "react";

/** A search in what is on the page; the words are kept in the address by whoever uses it. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="search"
        className="input"
        placeholder={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </>
  );
}
