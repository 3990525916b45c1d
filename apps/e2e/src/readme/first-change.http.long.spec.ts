import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Newcomer } from './newcomer';
import { readFencedBlocks } from './readme-blocks';

jest.setTimeout(300_000);

const SERVICES = 'apps/standalone/src/services.ts';
const FRAME = 'apps/console/src/frame.tsx';
const STATUS = 'apps/plat/src/commands/status.ts';

/** The text of the console's script, at the address that its page names. */
async function readConsole(apiUrl: string): Promise<string> {
  const page = await (await fetch(`${apiUrl}/console/`)).text();
  const [script] = /[\w/.-]*console-\w+\.js/.exec(page) ?? [];
  return (await fetch(new URL(script ?? '', `${apiUrl}/console/`))).text();
}

async function readBrand(apiUrl: string): Promise<unknown> {
  return ((await (await fetch(`${apiUrl}/v1/platform`)).json()) as { brand: unknown }).brand;
}

describe('the first change of a contributor, by the commands of CONTRIBUTING.md in a fresh clone', () => {
  let newcomer: Newcomer;
  let [start, client]: string[] = [];
  beforeAll(async () => {
    newcomer = await Newcomer.arrive();
    const page = await readFile(join(newcomer.clone, 'CONTRIBUTING.md'), 'utf8');
    const block = readFencedBlocks(page).find(({ heading }) => heading === 'The first change');
    [start, client] = block?.commands ?? [];
    await newcomer.startService(start ?? '');
  });
  afterAll(() => newcomer.leave());

  async function change(file: string, from: string, to: string): Promise<void> {
    const path = join(newcomer.clone, file);
    const text = await readFile(path, 'utf8');
    expect(text.split(from)).toHaveLength(2);
    await writeFile(path, text.replace(from, to));
  }

  it('of a service is in its answers once it has reloaded', async () => {
    await change(SERVICES, "PLATFORM_BRAND: 'plat'", "PLATFORM_BRAND: 'my plat'");
    expect(await readBrand(await newcomer.serviceAnswers())).toBe('my plat');
  });

  it('of the console is in its page', async () => {
    await change(FRAME, 'Skip to the page', 'Go to the page');
    expect(await readConsole(await newcomer.serviceAnswers())).toContain('Go to the page');
  });

  it('of the client is in its next command', async () => {
    await change(STATUS, 'Show where your review is,', 'Print where your review is,');
    expect(await newcomer.type(client ?? '', newcomer.clone)).toContain('Print where your review is,');
  });

  it('that does not build is reported, and the last good build answers until one does', async () => {
    await change(SERVICES, "PLATFORM_BRAND: 'my plat'", "PLATFORM_BRAND: = 'their plat'");
    await newcomer.serviceSays('[ERROR]');
    await newcomer.serviceSays('The build has failed.');
    expect(await readBrand(newcomer.address)).toBe('my plat');
    await change(SERVICES, "PLATFORM_BRAND: = 'their plat'", "PLATFORM_BRAND: 'their plat'");
    expect(await readBrand(await newcomer.serviceAnswers())).toBe('their plat');
  });

  it('leaves no process behind when the watch is killed', async () => {
    const { pid } = JSON.parse(await readFile(newcomer.readyFile, 'utf8')) as { pid: number };
    const [, parent] = /^PPid:\s+(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
    await newcomer.killInService(Number(parent));
    expect(await newcomer.answers()).toBe(false);
  });

  it('finds one build, its own, at the next start, and leaves none after a stop', async () => {
    const builds = () => readdir(join(newcomer.clone, 'dist', 'watch'));
    const left = await builds();
    await newcomer.startService(start ?? '');
    const own = await builds();
    await newcomer.stopService();
    expect([left.length, own.length, await builds()]).toEqual([1, 1, []]);
    expect(own).not.toEqual(left);
  });
});
