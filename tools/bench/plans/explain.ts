import type { Client } from 'pg';
import { median } from '../median';
import type { Statement } from './statements';

/** The reads of one execution of a statement, with all that its functions run. */
export interface Reading {
  milliseconds: number;
  /** Pages of 8 KiB, cached or not. */
  pages: number;
  /** Rows that were read and not returned, because they did not match. */
  discarded: number;
  /** Partitions that were read or written. */
  partitions: number;
  /** Names of the indexes, without the partition's part; `a whole table` for one that was read whole. */
  by: string[];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Loops'?: number;
  'Actual Rows'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** Tables whose size is measured. Others are read by key on the way. */
const MEASURED = /^(audit_events|builds)_/;
const TURNS = 15;

/** Has the session report the plan of every statement, those within functions included. */
export async function reportPlans(client: Client): Promise<void> {
  await client.query("LOAD 'auto_explain'");
  const settings = {
    log_min_duration: '0',
    log_analyze: 'on',
    log_buffers: 'on',
    log_timing: 'off',
    log_nested_statements: 'on',
    log_format: 'json',
    log_level: 'notice',
  };
  for (const [name, value] of Object.entries(settings)) {
    await client.query(`SET auto_explain.${name} = '${value}'`);
  }
}

/**
 * Runs a statement for a caller several times, each in a transaction that is rolled back. The plan is that of the last
 * one, when all is cached; the time is the median without reports.
 *
 * @throws Error if the statement returns fewer rows than it should, because its plan would prove nothing
 */
export async function readPlan(
  client: Client,
  caller: { tenantId: string; proof: string },
  statement: Statement,
): Promise<Reading> {
  const taken: number[] = [];
  let plans: PlanNode[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const isLast = turn === TURNS - 1;
    await client.query(`SET auto_explain.log_min_duration = ${isLast ? 0 : -1}`);
    await client.query('BEGIN');
    await client.query('SELECT tenancy.enter_as($1, false)', [caller.proof]);
    const noticed: string[] = [];
    const note = ({ message }: { message?: string | undefined }) => void noticed.push(message ?? '');
    client.on('notice', note);
    const startedAt = performance.now();
    const { rows } = await client.query(statement.text, [caller.tenantId, ...statement.values]);
    if (!isLast) taken.push(performance.now() - startedAt);
    client.off('notice', note);
    await client.query('ROLLBACK');
    if (statement.rows !== undefined && rows.length !== statement.rows) {
      throw new Error(`${statement.name} returned ${rows.length} rows, not ${statement.rows}`);
    }
    plans = noticed.flatMap(planIn);
  }
  return { ...summaryOf(plans), milliseconds: median(taken) };
}

function planIn(message: string): PlanNode[] {
  const start = message.indexOf('{');
  if (!message.includes('plan:') || start < 0) return [];
  return [(JSON.parse(message.slice(start)) as { Plan: PlanNode }).Plan];
}

function summaryOf(plans: readonly PlanNode[]): Omit<Reading, 'milliseconds'> {
  // The outer statement's figures contain those of the functions that it calls.
  const outer = plans.at(-1);
  const pages = (outer?.['Shared Hit Blocks'] ?? 0) + (outer?.['Shared Read Blocks'] ?? 0);
  const nodes = plans.flatMap(nodesOf).filter((node) => (node['Actual Loops'] ?? 0) > 0);
  const scans = nodes.filter(({ 'Relation Name': relation }) => MEASURED.test(relation ?? ''));
  const discarded = scans.reduce((sum, node) => sum + discardedBy(node), 0);
  return {
    pages,
    discarded,
    partitions: new Set(scans.map((node) => node['Relation Name'])).size,
    by: [...new Set(scans.map(accessOf))],
  };
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const discardedBy = (node: PlanNode): number =>
  ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 1);

function accessOf(node: PlanNode): string {
  if (node['Node Type'] === 'Seq Scan') return 'a whole table';
  // An index of a partition: <table>_<year>_<month>_<columns>_idx.
  return (node['Index Name'] ?? node['Node Type']).replace(/^(audit_events|builds)_\d{4}_\d{2}_/, '');
}
