import { setTimeout as delay } from 'node:timers/promises';
import { LOGIN_ROLES } from '@plat/database';
import { createTestDatabase, probeService, VanishingHost } from '@plat/testing';
import { readConfig, ServiceConfig } from '../configuration/config';
import { createLog } from '../log/log';
import { createApplication } from './application';
import { openServiceContext } from './service-context';

/** Between two looks at an answer that changes by the clock. */
const PAUSE_MS = 50;

describe('GET /readyz', () => {
  it('is 503 within a deadline while the host of the database is gone, and 200 when it is back', async () => {
    const database = await createTestDatabase();
    const login = database.url(LOGIN_ROLES.platform);
    const host = await VanishingHost.start(login);
    const config = readConfig(ServiceConfig, { DATABASE_URL: host.url(login) });
    const log = createLog('spec', 'silent');
    const context = await openServiceContext('platform', config, log);
    const module = probeService(() => undefined).module(context, config);
    const application = await createApplication([{ context, module }], { log, allowHttpIssuers: true });
    await application.listen(0, '127.0.0.1');
    const url = await application.getUrl();
    const status = async (path: string) => (await fetch(url + path)).status;
    const waitForChange = async (from: number) => {
      const giveUpAt = Date.now() + 25_000;
      let seen = from;
      while (seen === from && Date.now() < giveUpAt) {
        await delay(PAUSE_MS);
        seen = await status('/readyz');
      }
      return seen;
    };
    try {
      expect(await status('/readyz')).toBe(200);
      host.vanish();
      // The answer stays 200 for a moment, because recent answers of the database count.
      expect(await waitForChange(200)).toBe(503);
      expect(await status('/healthz')).toBe(200);
      host.comeBack();
      expect(await waitForChange(503)).toBe(200);
    } finally {
      await application.close();
      await context.close();
      await host.stop();
      await database.drop();
    }
  }, 60_000);
});
