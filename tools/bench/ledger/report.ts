import { table, verdict } from '../table';
import type { Command } from './client';
import type { Proofs } from './proofs';
import type { SealedRequests } from './requests';
import type { SealingRate } from './sealing';

/** Least ratio of the requests per second with sealing to those without. */
const REQUESTS_GOAL = 0.97;
const ROWS_PER_SECOND_GOAL = 5000;
/** Least ratio of the last tenth's rows per second to all rows': it must not fall with the size of the log. */
const LAST_TENTH_GOAL = 0.9;
/** Most that a proof may take, in terms of a read by key. */
const PROOF_GOAL = 2;
/** Most seconds of export and verify together, for a million entries. */
const CLIENT_SECONDS_GOAL = 60;
const CLIENT_MB_GOAL = 256;
const MILLION = 1_000_000;

export function requestsTable(measured: readonly SealedRequests[]): string {
  return table([
    ['requests/s', 'not sealing', 'sealing', 'ratio', 'goal', ''],
    ...measured.map(({ name, off, on, ratio }) => [
      ...[name, off.toFixed(0), on.toFixed(0), ratio.toFixed(3)],
      ...[`>= ${REQUESTS_GOAL}`, verdict(ratio >= REQUESTS_GOAL)],
    ]),
  ]);
}

export function sealingTable(rates: readonly SealingRate[]): string {
  return table([
    ['rows sealed', 'rows/s', 'goal', '', 'last tenth', 'goal', '', 'rows/processor s'],
    ...rates.map(({ name, rows, perSecond, lastTenthPerSecond, perProcessorSecond }) => [
      ...[`${rows} ${name}`, perSecond.toFixed(0)],
      ...[`>= ${ROWS_PER_SECOND_GOAL}`, verdict(perSecond >= ROWS_PER_SECOND_GOAL)],
      ...[lastTenthPerSecond.toFixed(0), `>= ${LAST_TENTH_GOAL} of all`],
      ...[verdict(lastTenthPerSecond >= LAST_TENTH_GOAL * perSecond), perProcessorSecond.toFixed(0)],
    ]),
  ]);
}

export function proofTable({ readMs, proofMs }: Proofs, entries: number): string {
  const ratio = proofMs / readMs;
  return table([
    [`in a log of ${entries} entries`, 'one review', 'proof', 'ratio', 'goal', ''],
    [
      ...['an inclusion proof', `${readMs.toFixed(2)} ms`, `${proofMs.toFixed(2)} ms`, ratio.toFixed(2)],
      ...[`<= ${PROOF_GOAL}`, verdict(ratio <= PROOF_GOAL)],
    ],
  ]);
}

export function clientTable(commands: readonly Command[], rows: number): string {
  const seconds = commands.reduce((sum, command) => sum + command.seconds, 0);
  const forMillion = (seconds * MILLION) / rows;
  const memory = ({ peakBytes }: Command): string[] => {
    if (Number.isNaN(peakBytes)) return ['unknown here'];
    const mebibytes = peakBytes / 1024 ** 2;
    return [mebibytes.toFixed(0), `< ${CLIENT_MB_GOAL}`, verdict(mebibytes < CLIENT_MB_GOAL)];
  };
  return table([
    [`${rows} rows`, 'seconds', 'most MB', 'goal', ''],
    ...commands.map((command) => [command.name, command.seconds.toFixed(1), ...memory(command)]),
    [
      ...['together, for 1,000,000 rows', forMillion.toFixed(1), ''],
      ...[`< ${CLIENT_SECONDS_GOAL} s`, verdict(forMillion < CLIENT_SECONDS_GOAL)],
    ],
  ]);
}
