import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Machine } from './black-box/plat-process';

/** Node's answers to a process whose user the system does not list. */
const UNLISTED = `const os = require('node:os');
  const absent = () => { throw Object.assign(new Error('returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' }); };
  os.userInfo = absent;
  os.homedir = () => process.env.HOME || absent();
  process.getuid = () => 54321;`;

describe('a user whom the system does not list, as in a container that runs as a number', () => {
  let machine: Machine;
  beforeEach(async () => (machine = await Machine.create()));
  afterEach(() => machine.remove());

  async function plat(args: string[], env: Record<string, string> = {}) {
    const unlisted = join(machine.home, 'unlisted.cjs');
    await writeFile(unlisted, UNLISTED);
    return machine.plat(args, { env: { NODE_OPTIONS: `--require=${unlisted}`, ...env } });
  }

  it('runs commands, and has its number as its name', async () => {
    expect(await plat(['version'])).toMatchObject({ code: 0, stderr: '' });
    expect(await plat(['review', '--help'])).toMatchObject({ code: 0, stderr: '' });
    const env = { PLAT_TENANT: 'acme', PLAT_ENVIRONMENT: 'dev' };
    const lease = await plat(['activity', 'lease', 'take', '--json'], env);
    expect(lease.json()).toMatchObject({ holder: 'user 54321' });
  });

  it('is asked to set HOME', async () => {
    expect((await plat(['version', '--json'], { HOME: '' })).json()).toMatchObject({
      code: 'NO_HOME_FOLDER',
      message: 'The system does not list user 54321, and HOME is not set.',
      details: { next: 'set HOME to a folder of that user' },
    });
  });
});
