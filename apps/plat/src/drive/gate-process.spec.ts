import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify } from '@plat/local';
import { GateProcessFile } from './gate-process';

describe('the gate that a killed drive left at work', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-gate-'))));
  afterEach(() => rm(folder, { recursive: true }));
  const files = () => readdir(join(folder, 'drive'));

  it('is ended with all that it started, once', async () => {
    const child = spawn('/bin/sh', ['-c', 'sleep 600 & echo begun; wait'], { detached: true });
    await once(child.stdout, 'data');
    const ended = once(child, 'close');
    await new GateProcessFile(folder).write((await identify(child.pid!))!);
    const next = new GateProcessFile(folder);
    expect(await next.endLeft()).toBe(true);
    // Its output is at its end: what it started, which held it open, is gone too.
    expect(await ended).toEqual([null, 'SIGTERM']);
    expect(await next.endLeft()).toBe(false);
  });

  it('is not looked for by an id that another process has since: that one is not ended', async () => {
    const child = spawn('sleep', ['600'], { detached: true });
    await once(child, 'spawn');
    const file = new GateProcessFile(folder);
    await file.write({ pid: child.pid!, began: 'long ago' });
    await expect(file.endLeft()).rejects.toMatchObject({ code: 'LEFT_PROCESSES' });
    expect(child.exitCode).toBeNull();
    // The file stays: the next drive must not take the checkout either.
    expect(await files()).toHaveLength(1);
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
    expect(await file.endLeft()).toBe(false);
    expect(await files()).toEqual([]);
  });

  it.each(['', '{', '{"pid":"1","began":"x"}', '{"pid":1}'])(
    'is none where the file says %j',
    async (text) => {
      const file = new GateProcessFile(folder);
      await file.write({ pid: 1, began: 'x' });
      await writeFile(join(folder, 'drive', 'gate-process.json'), text);
      expect(await file.endLeft()).toBe(false);
      expect(await files()).toEqual([]);
    },
  );
});
