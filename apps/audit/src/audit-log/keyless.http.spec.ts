import { startTestService, type TestService } from '@plat/testing';
import { AuditModule } from '../audit.module';
import { auditService } from '../service';

/** The service as a deployment without a key starts it. */
const keyless: typeof auditService = {
  ...auditService,
  module: (context, config) =>
    AuditModule.register(context, Object.assign(config, { LEDGER_KEY: undefined })),
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService(keyless);
});
afterAll(() => service.stop());

describe('a deployment without LEDGER_KEY', () => {
  it.each([
    'checkpoint',
    'keys',
    'entries',
    'tile?level=0&index=0',
    'inclusion-proof?index=0',
    'consistency-proof?from=1',
  ])('answers 501 NOT_IMPLEMENTED for %s, seals nothing and says so in its log', async (path) => {
    const { status, body } = await service.send('alice', `GET /v1/audit-log/${path}` as 'GET /');
    expect({ status, code: body.code }).toEqual({ status: 501, code: 'NOT_IMPLEMENTED' });
    expect(await service.database.query('SELECT FROM ledger.logs')).toEqual([]);
    expect(JSON.stringify(service.logged())).toContain('"nothing is sealed: LEDGER_KEY is not set"');
  });
});
