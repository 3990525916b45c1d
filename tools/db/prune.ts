import { parseArgs } from 'node:util';
import {
  lookAtTrail,
  momentBefore,
  type PrunedTable,
  pruneRows,
  pruneTrail,
  type TrailStep,
  withoutOthers,
  withOwner,
} from '@plat/database';
import { optionFault } from './arguments';
import type { DatabaseJob } from './commands';
import { UsageError } from './failure';

export const PRUNE_USAGE = `npm run db -- prune [--dry-run] [--keep-audit PERIOD --export DIR] [--keep-builds PERIOD]
                        [--keep-gate-runs PERIOD]
  removes what is older than a period, such as 90days, 24months or 7years, from the tables that are named; no other
  table is touched. Whole months of the audit trail go, each after it is exported to DIR and the export is verified.
  Builds and gate runs go unless something needs them. With --dry-run it prints what would go, and removes nothing.
  May be killed at any moment and run again.`;

/** The option of each table whose rows go one by one. */
const ROW_OPTIONS = {
  'keep-builds': 'builds.builds',
  'keep-gate-runs': 'reviews.gate_runs',
} as const satisfies Record<string, PrunedTable>;

interface Pruning {
  dry: boolean;
  audit?: string;
  folder?: string;
  /** The periods of the other tables that are named. */
  rows: [PrunedTable, string][];
}

/** Removes what is older than its period, or prints what would go. */
export async function runPrune({ ownerUrl, print }: DatabaseJob, args: string[]): Promise<void> {
  const { dry, audit, folder, rows } = readPruning(args);
  await withOwner(ownerUrl, (client) =>
    withoutOthers(client, async () => {
      if (dry) await client.query('SET default_transaction_read_only = on');
      if (audit !== undefined) {
        const before = await momentBefore(client, audit);
        print(`audit.audit_events: months that ended before ${before}`);
        const onStep = (step: TrailStep) => print(`  ${describe(step)}`);
        if (dry) await lookAtTrail(client, { before, onStep });
        else await pruneTrail(client, { before, folder: folder!, onStep });
      }
      for (const [table, period] of rows) {
        const before = await momentBefore(client, period);
        print(`${table}: rows from before ${before}`);
        const { removed, kept, oldest, newest } = await pruneRows(client, table, { before, dry });
        print(`  ${dry ? 'would delete' : 'deleted'} ${removed}${span({ oldest, newest })}`);
        print(`  kept ${kept} that something needs`);
      }
      if (dry) print('Nothing was removed.');
    }),
  );
}

function readPruning(args: string[]): Pruning {
  const values = parse(args);
  const period = (name: keyof typeof values): string | undefined => {
    const text = values[name];
    return typeof text === 'string' ? periodOf(name, text) : undefined;
  };
  const rows = Object.entries(ROW_OPTIONS).flatMap(([option, table]): [PrunedTable, string][] => {
    const kept = period(option as keyof typeof ROW_OPTIONS);
    return kept === undefined ? [] : [[table, kept]];
  });
  const { 'dry-run': dry, export: folder } = values;
  const audit = period('keep-audit');
  if (audit === undefined && rows.length === 0) throw new UsageError(PRUNE_USAGE);
  if (folder !== undefined && audit === undefined) throw new UsageError('--export goes with --keep-audit.');
  if (audit !== undefined && folder === undefined && !dry) {
    throw new UsageError('--keep-audit needs --export DIR: no month of the trail goes without an export.');
  }
  return { dry, audit, folder, rows };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        'dry-run': { type: 'boolean', default: false },
        'keep-audit': { type: 'string' },
        'keep-builds': { type: 'string' },
        'keep-gate-runs': { type: 'string' },
        export: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw optionFault(error, PRUNE_USAGE);
  }
}

/** @returns an interval of PostgreSQL's */
function periodOf(option: string, text: string): string {
  const [, number, unit] = /^([1-9]\d{0,4})(days|months|years)$/.exec(text) ?? [];
  if (number === undefined) {
    throw new UsageError(
      `--${option} ${text}: a period is a number of days, months or years, such as 24months.`,
    );
  }
  return `${number} ${unit!}`;
}

function describe(step: TrailStep): string {
  if (step.what === 'stays') return `stays        ${step.partition}: ${step.obstacle}`;
  if (step.what === 'dropped') return `dropped      ${step.partition}`;
  const verb = step.what === 'goes' ? 'would export' : 'exported';
  const rows = step.held
    ? `${step.held.rows} rows${span(step.held)}`
    : 'what an interrupted prune has detached';
  return `${verb.padEnd(12)} ${step.partition}: ${rows}, to ${step.file}`;
}

const span = ({ oldest, newest }: { oldest?: string; newest?: string }): string =>
  oldest === undefined ? '' : `, from ${oldest} to ${newest!}`;
