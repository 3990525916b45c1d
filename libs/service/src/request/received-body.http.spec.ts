import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { probeService, startTestService, type TestService } from '@plat/testing';

const MEBIBYTE = 1024 * 1024;

describe('a body before the service wants it', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(probeService());
  });
  afterAll(() => service.stop());

  /** Sends the head of a POST. The test sends the body. */
  async function post(
    ...headers: string[]
  ): Promise<{ socket: Socket; answer(): string; closed: Promise<unknown> }> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk))).on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await once(socket, 'connect');
    socket.write(['POST /v1/reviews HTTP/1.1', 'Host: plat', ...headers, '', ''].join('\r\n'));
    return { socket, answer: () => text, closed };
  }

  /** Writes until the connection is closed. @returns how many bytes were written */
  async function pour({ socket, closed }: { socket: Socket; closed: Promise<unknown> }): Promise<number> {
    let over = false;
    void closed.then(() => (over = true));
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
    while (!over && socket.writable) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed]);
      await delay(0);
    }
    return socket.bytesWritten;
  }

  it('is not awaited before the 401', async () => {
    const sender = await post(`Content-Length: ${MEBIBYTE}`);
    await once(sender.socket, 'data');
    expect(sender.answer()).toMatch(/^HTTP\/1\.1 401 /);
    sender.socket.destroy();
  });

  it.each([
    ['with its length', `Content-Length: ${1024 * MEBIBYTE}`],
    ['in chunks, without end', 'Transfer-Encoding: chunked'],
  ])('of an unknown caller is read for some KiB and a moment, and then cut: %s', async (_, header) => {
    const sender = await post(header);
    const taken = await pour(sender);
    expect(sender.answer()).toMatch(/^HTTP\/1\.1 401 /);
    // The operating system buffers bytes at both ends, in addition to those that the service reads.
    expect(taken).toBeLessThan(32 * MEBIBYTE);
  });

  it('does not end the connection if it is short', async () => {
    const sender = await post('Content-Length: 5');
    sender.socket.write('{"a":GET /v1/platform HTTP/1.1\r\nHost: plat\r\nConnection: close\r\n\r\n');
    await sender.closed;
    expect(sender.answer()).toMatch(/^HTTP\/1\.1 401 [^]*HTTP\/1\.1 200 OK/);
  });

  it('is not asked for with 100 Continue if its sender is unknown, who gets 401', async () => {
    const sender = await post('Content-Length: 2', 'Expect: 100-continue', 'Connection: close');
    await sender.closed;
    expect(sender.answer()).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('gets 100 Continue once its sender is known and permitted', async () => {
    const body = JSON.stringify({ name: 'x' });
    const sender = await post(
      `Authorization: ${await service.bearer('alice')}`,
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      'Connection: close',
    );
    await once(sender.socket, 'data');
    expect(sender.answer()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    sender.socket.write(body);
    await sender.closed;
    expect(sender.answer()).toContain('HTTP/1.1 201 Created');
  });

  it('of a known caller is refused if it is too large, and is cut if it goes on', async () => {
    const sender = await post(
      `Authorization: ${await service.bearer('alice')}`,
      'Transfer-Encoding: chunked',
    );
    const taken = await pour(sender);
    expect(sender.answer()).toMatch(/^HTTP\/1\.1 400 [^]*INVALID_BODY/);
    expect(taken).toBeLessThan(48 * MEBIBYTE);
  });
});
