import { SERVICES } from '@plat/contracts/core';
import { examineDatabase } from '@plat/invariants';
import { MergeScene } from '@plat/testing';
import type { FiveProcesses } from './five-processes';

/** The cases that the five services must pass together, with or without an edge in front of them. */
export function describeMergeFlow(name: string, running: () => FiveProcesses): void {
  describe(name, () => {
    let services: FiveProcesses;
    beforeAll(() => (services = running()));

    it('every service is ready, and uses its own login to the database', async () => {
      for (const service of SERVICES) {
        const ready = await fetch(`${services.addresses[service]}/readyz`);
        expect([service, ready.status]).toEqual([service, 200]);
      }
      const logins = await services.database.query<{ usename: string }>(
        `SELECT DISTINCT usename FROM pg_stat_activity
          WHERE datname = current_database() AND usename LIKE 'plat\\_%' ORDER BY 1`,
      );
      expect(logins.map(({ usename }) => usename)).toEqual(
        SERVICES.map((service) => `plat_${service}`).sort(),
      );
    });

    it('a review is proposed, built, promoted, gated, merged and queued for release', async () => {
      const scene = await MergeScene.create(services);
      const { id, commitId, buildId } = await scene.mergeReview();
      await scene.remove();
      expect(await scene.scene.review(id)).toMatchObject({ status: 'MERGED' });
      expect(await scene.releasesOf(id)).toMatchObject([{ reviewId: id, commitId, status: 'queued' }]);
      const build = await services.send('alice', `GET /v1/reviews/${id}/builds/${buildId}`);
      expect(build).toMatchObject({ status: 200, body: { kind: 'GATE', commitId } });
      expect(await examineDatabase(services.database.ownerUrl)).toEqual([]);
    });

    it('requests to different services are in one audit trail', async () => {
      await services.send('alice', 'GET /v1/whoami');
      const { body } = await services.send('alice', 'GET /v1/audit-events');
      const paths = (body as { events: { apiPath: string }[] }).events.map(({ apiPath }) => apiPath);
      expect(paths).toEqual(
        expect.arrayContaining(['/v1/whoami', '/v1/reviews', '/v1/reviews/{review_id}/builds']),
      );
    });

    it('another tenant sees no review of it', async () => {
      const { body } = await services.send('mallory', 'GET /v1/reviews');
      expect(body).toEqual([]);
    });
  });
}
