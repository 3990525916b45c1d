import { probeService, startTestService, type TestService } from '@plat/testing';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(probeService(() => undefined));
});
afterAll(() => service.stop());

/** Sends a request. @returns the trace that the log has for it */
async function readLoggedTrace(traceparent: string): Promise<unknown> {
  const authorization = await service.bearer('alice');
  const answer = await fetch(`${service.url}/v1/whoami`, { headers: { authorization, traceparent } });
  const id = answer.headers.get('x-request-id');
  return service.logged().find(({ requestId, msg }) => requestId === id && msg === 'request')?.trace_id;
}

describe('without telemetry', () => {
  it("a request's line has the trace of its caller", async () => {
    expect(await readLoggedTrace(`00-${TRACE}-b7ad6b7169203331-01`)).toBe(TRACE);
  });

  it('an invalid traceparent is in no line', async () => {
    expect(await readLoggedTrace(`00-${TRACE}`)).toBeUndefined();
  });
});
