import { useState } from 'preact/hooks';
import type { PlaceName } from '@plat/console/places';
import { useApp } from '../app-context';

interface FilterField {
  key: string;
  label: string;
  value?: string | undefined;
  /** The values to choose from; absent: any text. */
  options?: readonly string[];
}

interface FilterFormProps {
  place: PlaceName;
  fields: readonly FilterField[];
}

/** Narrows a list. What is chosen stands in the address. */
export function FilterForm({ place, fields }: FilterFormProps) {
  const { go } = useApp();
  const [query, setQuery] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map(({ key, value = '' }) => [key, value])),
  );
  const narrow = (event: Event): void => {
    event.preventDefault();
    const trimmed = Object.entries(query).map(([key, value]) => [key, value.trim()]);
    go({ name: place, query: Object.fromEntries(trimmed) as Record<string, string> });
  };
  return (
    <form onSubmit={narrow}>
      {fields.map(({ key, label, options }) => {
        const set = (value: string): void => setQuery({ ...query, [key]: value });
        return (
          <label key={key}>
            {label}{' '}
            {options === undefined ? (
              <input value={query[key]} onInput={(event) => set(event.currentTarget.value)} />
            ) : (
              <select value={query[key]} onChange={(event) => set(event.currentTarget.value)}>
                <option value="">any</option>
                {options.map((option) => (
                  <option key={option}>{option}</option>
                ))}
              </select>
            )}
          </label>
        );
      })}
      <button type="submit">Narrow</button>
    </form>
  );
}
