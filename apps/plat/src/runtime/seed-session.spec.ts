import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedSession } from './seed-session';

const REMEDY = 'run plat init again with --renew-session on a signed-in machine, which provisions a session.';

describe('a pod without a session that it can use', () => {
  it.each<[string, Record<string, string>, string]>([
    ['none', {}, 'none'],
    ['one without its alias', { 'session.json': '{}' }, 'unusable'],
  ])('names the flag that replaces one which the machine would keep: %s', async (_kind, files, outcome) => {
    const mount = await mkdtemp(join(tmpdir(), 'plat-seed-'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(mount, name), text);
    const seeded = await seedSession({ mount, configFolder: mount, environmentConfig: mount });
    expect(seeded).toMatchObject({ outcome, message: expect.stringContaining(REMEDY) });
    await rm(mount, { recursive: true });
  });
});
