import { connect } from 'node:net';
import { UNANSWERED_MAX } from '@plat/local';
import { probeService, startTestService, type TestService } from '@plat/testing';

describe('one connection', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(probeService());
  });
  afterAll(() => service.stop());

  /** Sends bytes at once, and reads until the connection ends. @returns the statuses of the answers */
  async function statusesOf(bytes: string): Promise<number[]> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    let said = '';
    socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1'))).on('error', () => undefined);
    socket.write(bytes);
    await new Promise((resolve) => socket.once('close', resolve));
    return Array.from(said.matchAll(/HTTP\/1\.1 (\d+) /g), ([, status]) => Number(status));
  }

  const request = (headers = '') => `GET /v1/whoami HTTP/1.1\r\nHost: plat\r\n${headers}\r\n`;
  const last = request('Connection: close\r\n');

  it('may send some requests before the first is answered', async () => {
    const bytes = request().repeat(UNANSWERED_MAX - 1) + last;
    expect(await statusesOf(bytes)).toEqual(Array.from({ length: UNANSWERED_MAX }, () => 401));
  });

  it('is cut if it sends more, which would take memory until they are answered', async () => {
    const statuses = await statusesOf(request().repeat(500) + last);
    expect(statuses.length).toBeLessThanOrEqual(UNANSWERED_MAX);
  });

  it('may send any number over time', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    for (let turn = 0; turn < 2 * UNANSWERED_MAX; turn += 1) {
      socket.write(request());
      const [answer] = await new Promise<Buffer[]>((resolve) =>
        socket.once('data', (...data) => resolve(data)),
      );
      expect(answer!.toString('latin1')).toMatch(/^HTTP\/1\.1 401/);
    }
    socket.destroy();
  });

  it('has each of its headers read: the last of thousands counts too', async () => {
    const headers = `${'a:\r\n'.repeat(2_500)}Host: other\r\nConnection: close\r\n`;
    expect(await statusesOf(request(headers))).toEqual([400]);
  });
});
