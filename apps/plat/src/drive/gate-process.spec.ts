import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { identify } from '@plat/local';
import { execFile, spawn } from '@plat/testing';
import { GateProcessFile } from './gate-process';

describe('the gate that a killed drive left running', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-gate-'))));
  afterEach(() => rm(folder, { recursive: true }));
  const files = () => readdir(join(folder, 'drive'));

  it('is ended once, with all processes that it started', async () => {
    const child = spawn('/bin/sh', ['-c', 'sleep 600 & echo begun; wait'], { detached: true });
    await once(child.stdout, 'data');
    const ended = once(child, 'close');
    await new GateProcessFile(folder).write((await identify(child.pid!))!);
    const next = new GateProcessFile(folder);
    expect(await next.endLeft()).toBe(true);
    // Its output is closed, so the process that it started has ended too.
    expect(await ended).toEqual([null, 'SIGTERM']);
    expect(await next.endLeft()).toBe(false);
  });

  it('is not mistaken for a later process with the same id, which is not ended', async () => {
    const child = spawn('sleep', ['600'], { detached: true });
    await once(child, 'spawn');
    const file = new GateProcessFile(folder);
    await file.write({ pid: child.pid!, began: 'long ago' });
    await expect(file.endLeft()).rejects.toMatchObject({ code: 'LEFT_PROCESSES' });
    expect(child.exitCode).toBeNull();
    // The file stays, because the next drive must not use the checkout either.
    expect(await files()).toHaveLength(1);
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
    expect(await file.endLeft()).toBe(false);
    expect(await files()).toEqual([]);
  });

  it('is not looked for in a pipe, which is not waited for', async () => {
    const file = new GateProcessFile(folder);
    await file.write({ pid: 1, began: 'x' });
    const pipe = join(folder, 'drive', 'gate-process.json');
    await rm(pipe);
    await promisify(execFile)('mkfifo', [pipe]);
    expect(await file.endLeft()).toBe(false);
    expect(await files()).toEqual([]);
  });

  it('is not looked for in a folder into which others may write, so that they have no process ended', async () => {
    const child = spawn('sleep', ['600'], { detached: true });
    await once(child, 'spawn');
    const file = new GateProcessFile(folder);
    await file.write((await identify(child.pid!))!);
    await chmod(join(folder, 'drive'), 0o777);
    expect(await file.endLeft()).toBe(false);
    expect(child.signalCode).toBeNull();
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it.each(['', '{', '{"pid":"1","began":"x"}', '{"pid":1}'])(
    'is absent if the file contains %j',
    async (text) => {
      const file = new GateProcessFile(folder);
      await file.write({ pid: 1, began: 'x' });
      await writeFile(join(folder, 'drive', 'gate-process.json'), text);
      expect(await file.endLeft()).toBe(false);
      expect(await files()).toEqual([]);
    },
  );
});
