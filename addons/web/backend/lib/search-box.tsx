/** Input that filters a list while the user types. */
export function SearchBox({
  label,
  placeholder = label,
  className = 'form-control',
  value,
  onChange,
}: {
  label: string;
  placeholder?: string;
  className?: string;
  value: string;
  onChange(value: string): void;
}) {
  return (
    <input
      type="search"
      className={className}
      aria-label={label}
      placeholder={placeholder}
      maxLength={100}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
