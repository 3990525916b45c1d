import { Client } from 'pg';
import { examineDatabase } from '@plat/invariants';
import { judgeKeys } from '../interleavings/keys';
import { readLog } from '../interleavings/log';
import { judge } from '../interleavings/witness';
import type { Scene } from './clients';

/** The faults after the run, in words: acknowledged rows that are lost, and rows that belong to no request. */
export async function judgeRun(ownerUrl: string, scene: Scene): Promise<string[]> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const ids = async (sql: string): Promise<string[]> =>
      (await owner.query<{ id: string }>(sql)).rows.map(({ id }) => id);
    const lost = (what: string, acknowledged: string[], kept: string[]): string[] => {
      const there = new Set(kept);
      return acknowledged
        .filter((id) => !there.has(id))
        .map((id) => `${what} ${id} was acknowledged and is lost`);
    };
    const broken = (await examineDatabase(ownerUrl)).map(
      ({ promise, rows }) => `broken: ${promise}: ${JSON.stringify(rows[0])}`,
    );
    return [
      ...judge(await readLog(ownerUrl), scene.operations, []),
      ...broken,
      ...lost('review', scene.reviewIds, await ids('SELECT review_id AS id FROM reviews.reviews')),
      ...lost('build', scene.buildIds, await ids('SELECT build_id AS id FROM builds.builds')),
      ...(await judgeKeys(ownerUrl)),
      ...judgeTrail(scene, await ids('SELECT caller_request_id AS id FROM audit.audit_events')),
    ];
  } finally {
    await owner.end();
  }
}

/** Each answered request has exactly one row, each unanswered one at most one, and there are no other rows. */
function judgeTrail({ answered, unanswered }: Scene, rows: string[]): string[] {
  const kept = new Set(rows);
  const asked = new Set([...answered, ...unanswered]);
  const missing = answered.filter((id) => !kept.has(id));
  const strange = rows.filter((id) => !asked.has(id));
  return [
    ...(kept.size < rows.length ? [`${rows.length - kept.size} requests have more than one audit row`] : []),
    ...(missing.length > 0 ? [`${missing.length} answered requests have no audit row: ${missing[0]}`] : []),
    ...(strange.length > 0 ? [`${strange.length} audit rows belong to no request`] : []),
  ];
}
