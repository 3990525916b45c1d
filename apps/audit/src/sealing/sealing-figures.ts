import { registerSharedFigures, type ServiceContext } from '@plat/service';

/** A row of ledger.figures. */
interface Sealing {
  logs: number;
  waiting: number;
  oldest_seconds: number;
  catching_up: number;
  unsigned_seconds: number;
}

/** The figures of the sealed logs for `/metrics`. */
export function registerSealingFigures(context: Pick<ServiceContext, 'database' | 'log' | 'metrics'>): void {
  const figure = (name: string, help: string, value: (row: Sealing) => number) => ({
    name: `plat_ledger_${name}`,
    help,
    show: (rows: Sealing[]) => rows.map((row) => ({ value: value(row) })),
  });
  registerSharedFigures<Sealing>(context, {
    name: 'ledger.figures',
    figures: [
      figure('logs', 'Sealed logs, one a tenant', ({ logs }) => logs),
      figure('rows_waiting', 'Rows of the trail that are not sealed yet', ({ waiting }) => waiting),
      figure(
        'oldest_row_seconds',
        'Age of the oldest row, landing or erasure that is not sealed yet; 0 if there is none',
        ({ oldest_seconds: seconds }) => seconds,
      ),
      figure(
        'logs_catching_up',
        'Logs that lack rows older than the log, a restore or a move',
        ({ catching_up: logs }) => logs,
      ),
      figure(
        'unsigned_seconds',
        'For how long what is stored of a log has not been signed; 0 if all is signed',
        ({ unsigned_seconds: seconds }) => seconds,
      ),
    ],
  });
}
