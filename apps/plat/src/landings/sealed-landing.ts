import type { MergeReceipt } from '@plat/api-client';
import { CONTENT_VERDICTS, parseInstant } from '@plat/contracts/core';
import { canonicalJson } from '@plat/ledger';
import { isKnownVersion } from '../receipts/receipt-checks';
import { checkWords } from '../receipts/receipt-words';
import { tenantOf } from '../sealed-log/log-layout';
import { printableLine } from '../terminal/printable';

/** The statement about a landing that the platform signed and sealed. */
export type Statement = Omit<MergeReceipt, 'jws' | 'inclusion'>;

/** An entry of kind `landing` whose place in the log and whose commitment have been checked. */
export interface LandingEntry {
  index: number;
  /** Id of its leaf: the review's. */
  reviewId: string;
  /** The statement, canonical JSON; undefined if it was erased. */
  fields: string | undefined;
}

export interface SealedLanding {
  index: number;
  statement: Statement;
}

/** A landing of which the log says nothing that can be compared. */
export interface OpaqueLanding {
  index: number;
  reviewId: string;
  why: string;
}

/** The landings of a tenant's log. */
export interface SealedLandings {
  /** Name of the log; undefined if none of its entries is sealed yet. */
  origin: string | undefined;
  /** Entries of the log, of all kinds. */
  size: number;
  landings: SealedLanding[];
  /** Statements that cannot be read: no platform writes such. */
  unreadable: OpaqueLanding[];
  /** Statements whose erasure the log records: no platform erases them. */
  erased: OpaqueLanding[];
}

/** A log of which no entry is sealed yet. */
export const EMPTY_LOG: SealedLandings = {
  origin: undefined,
  size: 0,
  landings: [],
  unreadable: [],
  erased: [],
};

/**
 * Reads the statements. A review has two if its content was judged later: the newer one counts, and the older one only if
 * it names another commit.
 */
export function sealedLandings(
  { origin, size }: { origin: string; size: number },
  entries: readonly LandingEntry[],
): SealedLandings {
  const read: SealedLandings = { origin, size, landings: [], unreadable: [], erased: [] };
  for (const { index, reviewId, fields } of entries) {
    if (fields === undefined) {
      read.erased.push({ index, reviewId, why: `the receipt in entry ${index} was erased` });
      continue;
    }
    try {
      read.landings.push({
        index,
        statement: readStatement(fields, { tenantId: tenantOf(origin) ?? '', reviewId }),
      });
    } catch (error) {
      read.unreadable.push({ index, reviewId, why: printableLine((error as Error).message) });
    }
  }
  return { ...read, landings: newest(read.landings) };
}

function newest(landings: readonly SealedLanding[]): SealedLanding[] {
  const latest = new Map(landings.map((landing) => [landing.statement.reviewId, landing]));
  return landings.filter((landing) => {
    const last = latest.get(landing.statement.reviewId);
    const { commitId } = landing.statement;
    return landing === last || (commitId !== undefined && commitId !== last?.statement.commitId);
  });
}

/** @throws Error if the text is no statement of this tenant and review, or has words that are unsafe for git */
function readStatement(fields: string, named: { tenantId: string; reviewId: string }): Statement {
  const value = JSON.parse(fields) as Record<string, unknown>;
  if (canonicalJson(value) !== fields) throw new Error('the statement is not canonical JSON');
  const statement = value as unknown as MergeReceipt;
  if (!isKnownVersion(statement)) {
    throw new Error(
      `the statement is of version ${statement.statementVersion}, which this client does not know`,
    );
  }
  checkWords(statement);
  const isText = (field: keyof MergeReceipt) => typeof value[field] === 'string';
  const verdicts: readonly string[] = CONTENT_VERDICTS;
  const sound: Record<string, boolean> = {
    tenantId: statement.tenantId === named.tenantId,
    reviewId: statement.reviewId === named.reviewId,
    name: isText('name'),
    contentVerdict: verdicts.includes(statement.contentVerdict),
    contentReason: statement.contentReason === undefined || isText('contentReason'),
    verifiedAt: isText('verifiedAt') && parseInstant(statement.verifiedAt) !== undefined,
  };
  const wrong = Object.keys(sound).filter((field) => !sound[field]);
  if (wrong.length > 0) throw new Error(`the statement's ${wrong.join(', ')} can't be read`);
  return statement;
}
