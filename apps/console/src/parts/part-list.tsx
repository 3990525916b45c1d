import type { ComponentChildren } from 'preact';
import type { ReadFailure } from '../reads/read-failure';
import { NotPermitted } from './empty';

interface PartListProps<Row> {
  /** Undefined if it could not be read. */
  rows?: readonly Row[] | undefined;
  failure?: ReadFailure | undefined;
  /** Shown if there is no row. */
  empty: ComponentChildren;
  children(rows: readonly Row[]): ComponentChildren;
}

/** Shows one of the lists of a page: its rows, or that it is empty, or why it is missing. */
export function PartList<Row>({ rows, failure, empty, children }: PartListProps<Row>) {
  if (failure?.kind === 'forbidden') return <NotPermitted route={failure.facts.route} />;
  if (failure !== undefined) return <p class="empty">{failure.message}</p>;
  return <>{rows?.length ? children(rows) : empty}</>;
}
