import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { startServer } from './server';

/** A server that is ready the moment it is started, and ends on a signal. */
function quickServer(): ChildProcess {
  const stderr = new PassThrough();
  stderr.write('LOG:  database system is ready to accept connections\n');
  const server = Object.assign(new EventEmitter(), {
    pid: 1,
    stderr,
    exitCode: null as number | null,
    signalCode: null,
  });
  const end = () => {
    server.exitCode = 0;
    stderr.end();
    server.emit('exit', 0);
    server.emit('close', 0);
  };
  const kill = () => setImmediate(end);
  return Object.assign(server, { kill }) as unknown as ChildProcess;
}

describe('a server that is ready at once', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-server-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each([undefined, 'postgres.log'])('is noticed, with %s as its log file', async (name) => {
    const logFile = name && join(folder, name);
    if (logFile) await writeFile(logFile, 'of the start before\n');
    const server = await startServer({
      launcher: { start: quickServer, run: () => Promise.reject(new Error('not a server')) },
      postgres: 'postgres',
      data: folder,
      port: 1,
      durable: false,
      settings: {},
      logFile,
    });
    await server.stop();
    if (logFile) expect(await readFile(`${logFile}.1`, 'utf8')).toBe('of the start before\n');
  });
});
