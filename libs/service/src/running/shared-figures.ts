import { registerFigures } from './metrics';
import type { Sample } from './sample';
import type { ServiceContext } from './service-context';

/** Seconds for which a replica shows what it has read, so that neither scrapes nor replicas load the database. */
const READ_AGAIN_SECONDS = 30;

/** A figure of every tenant together, which each replica reads from the database and shows alike. */
export interface SharedFigure<Row> {
  name: string;
  help: string;
  labelNames?: string[];
  /** The samples of what was read. */
  show(rows: Row[]): Sample[];
}

/** A statement that reads rows, and the figures that are shown of them. */
export interface SharedReading<Row> {
  /** A function without arguments that returns the rows, schema-qualified, or a statement of the catalogue. */
  name: string;
  text?: string;
  figures: SharedFigure<Row>[];
  /** For tests; default READ_AGAIN_SECONDS. */
  againSeconds?: number;
}

/**
 * Adds figures that a statement of the database determines. They are read when `/metrics` is, at most every 30 seconds. If
 * they cannot be read, none is shown, because an old figure would look like a present one.
 */
export function registerSharedFigures<Row>(
  context: Pick<ServiceContext, 'database' | 'log' | 'metrics'>,
  { figures, ...statement }: SharedReading<Row>,
): void {
  const read = sharedReader<Row>(context, statement);
  for (const { show, ...shape } of figures) {
    registerFigures(context.metrics, { ...shape, read: async () => show(await read()) });
  }
}

/** @returns a function that reads, or returns what was read a moment ago; no rows if they cannot be read */
export function sharedReader<Row>(
  { database, log }: Pick<ServiceContext, 'database' | 'log'>,
  {
    name,
    text = `SELECT * FROM ${name}()`,
    againSeconds = READ_AGAIN_SECONDS,
  }: Omit<SharedReading<Row>, 'figures'>,
): () => Promise<Row[]> {
  let reading: { rows: Promise<Row[]>; at: number } | undefined;
  return () => {
    const now = performance.now();
    if (!reading || now - reading.at >= againSeconds * 1000) {
      const rows = database.run<Row>({ name, text, values: [] }).catch((err: unknown) => {
        log.warn({ err, figures: name }, 'figures of the database could not be read');
        return [];
      });
      reading = { rows, at: now };
    }
    return reading.rows;
  };
}
