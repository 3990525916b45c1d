import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Rows that are drawn at first, and with each further step: a page of thousands would be slow for no reader's sake. */
const STEP = 100;

interface RowsProps<Row> {
  of: readonly Row[];
  ordered?: boolean;
  /** Each row is a card. */
  cards?: boolean;
  children(row: Row): ComponentChildren;
}

/** A long list, of which a part is drawn; a button draws more. */
export function Rows<Row>({ of, ordered = false, cards = false, children }: RowsProps<Row>) {
  const [drawn, more] = useDrawn(of.length);
  const List = ordered ? 'ol' : 'ul';
  if (of.length === 0) return null;
  return (
    <>
      <List class={cards ? 'cards' : ordered ? 'line' : 'plain'}>{of.slice(0, drawn).map(children)}</List>
      {more}
    </>
  );
}

interface TableProps<Row> {
  caption: string;
  columns: readonly string[];
  of: readonly Row[];
  /** The cells of a row, in the order of the columns. */
  children(row: Row): ComponentChildren;
}

/** A table that scrolls within itself on a narrow screen, also by the arrow keys. */
export function Table<Row>({ caption, columns, of, children }: TableProps<Row>) {
  const [drawn, more] = useDrawn(of.length);
  if (of.length === 0) return null;
  return (
    <>
      <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {columns.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{of.slice(0, drawn).map(children)}</tbody>
        </table>
      </div>
      {more}
    </>
  );
}

/** How many rows are drawn, and the button that draws more. */
function useDrawn(count: number): [number, ComponentChildren] {
  const [drawn, setDrawn] = useState(STEP);
  const button = count > drawn && (
    <p>
      {drawn} of {count}.{' '}
      <button type="button" onClick={() => setDrawn(drawn + STEP)}>
        Show {Math.min(STEP, count - drawn)} more
      </button>
    </p>
  );
  return [drawn, button];
}
