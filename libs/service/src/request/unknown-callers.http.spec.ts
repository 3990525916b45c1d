import { Agent, type IncomingMessage, request } from 'node:http';
import { probeService, startTestService, type TestService } from '@plat/testing';

/** More requests than the line answers at once. */
const STRANGERS = 50;

describe('the requests of unknown callers', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(probeService());
  });
  afterAll(() => service.stop());

  /** Sends a request target unchanged, on a connection of its own. @returns the status, or `gone` */
  const ask = (path: string, leaves = false): Promise<number | 'gone'> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(service.url);
      const sent = request({ hostname, port, path, agent: new Agent() });
      sent.on('response', (response: IncomingMessage) => {
        response.resume().once('end', () => resolve(response.statusCode!));
      });
      sent.on('error', () => resolve('gone')).end(() => leaves && sent.destroy());
    });

  it.each([
    ['without a token', '/v1/whoami', 401],
    ['of no route', '/v1/nothing', 404],
    ['malformed', '/v1/%zz', 404],
  ])('are all answered, even if many come at once: %s', async (_, path, status) => {
    const answers = await Promise.all(Array.from({ length: STRANGERS }, () => ask(path)));
    expect(new Set(answers)).toEqual(new Set([status]));
  });

  it('if one goes away, the next one takes its place', async () => {
    const answers = await Promise.all(
      Array.from({ length: STRANGERS }, (_, place) => ask('/v1/whoami', place % 2 === 0)),
    );
    expect(answers.filter((answer) => answer === 401).length).toBeGreaterThanOrEqual(STRANGERS / 2);
  });
});
