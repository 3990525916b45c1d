import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endingsInARow, restartPause, supervise } from './supervision';

describe('a service of a pod, Rule H16,', () => {
  it('is started again after a pause that doubles up to a minute', () => {
    const pauses = [1, 2, 3, 6, 7, 1000].map(restartPause);
    expect(pauses).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000]);
  });

  it('that ran for a minute begins with the shortest pause again', () => {
    expect(endingsInARow(5, 59_999)).toBe(6);
    expect(endingsInARow(5, 60_000)).toBe(1);
  });

  it('is ended in order, the last one first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plat-supervision-'));
    const record = join(folder, 'ended');
    const script = (name: string) =>
      `trap 'echo ${name} >> ${record}; exit 0' TERM; echo up >> ${folder}/${name}; while :; do sleep 0.05; done`;
    const services = ['one', 'two'].map((name) => ({
      name,
      argv: ['/bin/sh', '-c', script(name)],
      folder: () => folder,
    }));
    const stop = new AbortController();
    const notes: string[] = [];
    const run = supervise(services, { interrupted: stop.signal, note: (line) => notes.push(line) });
    for (const { name } of services) await until(async () => (await textOf(join(folder, name))) !== '');
    stop.abort();
    await run;
    expect(await readFile(record, 'utf8')).toBe('two\none\n');
    expect(notes).toEqual(['two has ended.', 'one has ended.']);
    await rm(folder, { recursive: true });
  });

  it('gets its folder at each start, because the one before may be gone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plat-supervision-'));
    const stop = new AbortController();
    const folders = [join(folder, 'gone'), folder];
    const service = {
      name: 'It',
      argv: ['/bin/sh', '-c', 'pwd > there; exec sleep 60'],
      folder: () => folders.shift() ?? folder,
    };
    const run = supervise([service], { interrupted: stop.signal, note: () => undefined });
    await until(async () => (await textOf(join(folder, 'there'))) === `${folder}\n`);
    stop.abort();
    await run;
    await rm(folder, { recursive: true });
  });

  it('whose program is missing is reported, and ends with the others', async () => {
    const stop = new AbortController();
    const notes: string[] = [];
    const note = (line: string) => {
      notes.push(line);
      stop.abort();
    };
    const service = { name: 'It', argv: ['/no/such/program'], folder: () => '/' };
    await supervise([service], { interrupted: stop.signal, note });
    expect(notes).toEqual([
      'It ended (spawn /no/such/program ENOENT). It is started again in 1 s.',
      'It has ended.',
    ]);
  });
});

const textOf = (path: string) => readFile(path, 'utf8').catch(() => '');

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(setImmediate);
}
