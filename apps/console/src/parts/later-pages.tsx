import { useState } from 'preact/hooks';
import { useApp } from '../app-context';

interface PageOf<Row> {
  rows: readonly Row[];
  nextCursor?: string | undefined;
}

export interface LaterPages<Row> {
  rows: readonly Row[];
  /** Reads the next page; undefined if there is none. */
  more?: (() => void) | undefined;
  /** Why the last attempt failed. */
  fault?: string | undefined;
}

/**
 * Appends pages to a first one. When the first page has other rows, they are dropped, since there may be a gap between.
 *
 * @param keyOf names a row
 * @param read reads the page at a cursor
 */
export function useLaterPages<Row>(
  first: PageOf<Row>,
  keyOf: (row: Row) => string,
  read: (reader: ReturnType<typeof useApp>['reader'], cursor: string) => Promise<PageOf<Row>>,
): LaterPages<Row> {
  const { reader } = useApp();
  const head = first.rows.map(keyOf).join();
  const [later, setLater] = useState<{ head: string; page: PageOf<Row> }>();
  const [fault, setFault] = useState<string>();
  const held = later?.head === head ? later.page : undefined;
  const cursor = held === undefined ? first.nextCursor : held.nextCursor;
  const more = (): void => {
    read(reader, cursor!).then(
      ({ rows, nextCursor }) => {
        setFault(undefined);
        setLater({ head, page: { rows: [...(held?.rows ?? []), ...rows], nextCursor } });
      },
      (error: Error) => setFault(error.message),
    );
  };
  return {
    rows: [...first.rows, ...(held?.rows ?? [])],
    more: cursor === undefined ? undefined : more,
    fault,
  };
}

/** The button that reads a further page. */
export function More({ more, fault }: Pick<LaterPages<unknown>, 'more' | 'fault'>) {
  if (more === undefined) return null;
  return (
    <p>
      <button type="button" onClick={more}>
        Show earlier ones
      </button>{' '}
      <span role="status">{fault !== undefined && <strong class="stale">{fault}</strong>}</span>
    </p>
  );
}
