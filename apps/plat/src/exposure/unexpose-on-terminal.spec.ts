import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn } from '@plat/testing';
import { exposureStands, REMOVAL, WILDCARD } from '../black-box/exposure-stand';
import { builtPlat, ended, said } from '../black-box/plat-process';

const { start } = exposureStands();

describe('plat unexpose on a terminal', () => {
  it('asks about an environment that is not configured: no removes nothing, yes removes its record', async () => {
    const { machine, folder, programs, calls } = await start();
    await rename(join(machine.configFolder, 'acme', 'dev'), join(machine.configFolder, 'acme', 'dve'));
    const command = `${process.execPath} ${await builtPlat()} unexpose acme dev`;
    const answerPrompt = async (keys: string) => {
      const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
        cwd: folder,
        env: { PATH: programs.path, HOME: machine.home, TERM: 'dumb' },
      });
      const end = ended(child);
      await said(Object.assign(child, { stderr: child.stdout }), /\[y\/N\]/);
      child.stdin.write(keys);
      return end;
    };
    const refused = await answerPrompt('n\r');
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('NOT_CONFIGURED') as string });
    expect(refused.stdout).toContain(
      `There is no environment acme dev. Configured: acme dve, ops main. Remove ${WILDCARD}? [y/N]`,
    );
    expect(await calls()).toEqual([]);
    expect((await answerPrompt('y\r')).code).toBe(0);
    expect((await calls()).map(({ argv }) => argv.join(' '))).toEqual([REMOVAL]);
  });
});
