import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkout, DriveStand } from './drive-stand';

jest.setTimeout(120_000);

/** The block of README.md under the heading "The gate, by hand". */
async function readBlock(): Promise<string> {
  const text = await readFile(join(__dirname, '../../../README.md'), 'utf8');
  const [, block = ''] = /^## The gate, by hand$.*?^```sh\n(.*?)^```$/ms.exec(text) ?? [];
  expect(block).toContain('plat build --gate');
  return block;
}

describe('the gate by hand, typed as README.md prints it', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  /** A review of a branch, which is checked out, and whose build script is this. */
  async function reviewOf(checkout: Checkout, script: string): Promise<string> {
    await checkout.git('switch', '--quiet', '--create', 'feature/1-by-hand');
    await checkout.commit({ 'build.sh': `#!/bin/sh\n${script}\n` }, 'Work');
    await checkout.git('push', '--quiet', 'origin', 'feature/1-by-hand');
    const create = ['review', 'create', '--name', 'By hand', '--target-branch', 'main'];
    return (await checkout.json<{ reviewId: string }>(create)).reviewId;
  }
  const originMain = async (checkout: Checkout) =>
    (await checkout.git('ls-remote', 'origin', 'refs/heads/main')).split('\t')[0];

  it('lands a merge whose gate passes', async () => {
    const checkout = await stand.repository('by-hand-green', 'exit 0');
    const id = await reviewOf(checkout, 'echo tested');
    const run = await stand.type(await readBlock(), checkout.folder);
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
    expect(await checkout.json(['review', 'show', id])).toMatchObject({ status: 'MERGED' });
    expect(await originMain(checkout)).toBe(await checkout.git('rev-parse', 'main'));
  });

  it('lands nothing if the gate fails, and the recorded build is no success', async () => {
    const checkout = await stand.repository('by-hand-red', 'exit 0');
    const before = await originMain(checkout);
    const id = await reviewOf(checkout, 'echo red; exit 1');
    const block = await readBlock();
    expect((await stand.type(block, checkout.folder)).code).toBe(1);
    // A person who goes on line by line is stopped as well.
    await checkout.git('switch', '--quiet', 'feature/1-by-hand');
    await stand.type(block.replaceAll('&&', ';'), checkout.folder);
    const builds = await checkout.json<Array<{ kind: string }>>(['review', 'builds', id]);
    expect(builds.filter(({ kind }) => kind === 'GATE')).toEqual([]);
    expect(await checkout.json(['review', 'show', id])).toMatchObject({ status: 'MERGE' });
    expect(await originMain(checkout)).toBe(before);
  });
});
