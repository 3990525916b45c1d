import { registerSharedFigures, type ServiceContext } from '@plat/service';

/** Shows at `/metrics` how many environments are being deleted, and of how many the deletion is blocked. */
export class DeletionFigures {
  constructor(context: Pick<ServiceContext, 'database' | 'log' | 'metrics'>) {
    registerSharedFigures<{ running: number; blocked: number }>(context, {
      name: 'figures.deletions',
      figures: [
        {
          name: 'plat_environment_deletions',
          help: 'Environments that are being deleted, by state: running or blocked',
          labelNames: ['state'],
          show: (rows) =>
            rows.flatMap(({ running, blocked }) => [
              { labels: { state: 'running' }, value: running },
              { labels: { state: 'blocked' }, value: blocked },
            ]),
        },
      ],
    });
  }
}
