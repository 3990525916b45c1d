import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { spawn } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { type InitStand, setUpInit } from '../black-box/init-stand';
import { builtPlat, ended, WITHOUT_INTERNET } from '../black-box/plat-process';

const PAGE = readFileSync(join(workspaceRoot(), 'docs/environments.md'), 'utf8');

/** The only block of a language. */
function block(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(PAGE)?.[1] ?? '';
}

describe('docs/environments.md', () => {
  let stand: InitStand;
  beforeEach(async () => (stand = await setUpInit()));
  afterEach(() => stand.dispose());

  /** Types the page's first command as it stands there, but for the home of the person. */
  async function typeInit(cwd: string) {
    const { machine, programs } = stand;
    const [command = ''] = /^plat init(?:.*\\\n)*.*\n/.exec(block('sh')) ?? [];
    const shell = `plat() { '${process.execPath}' '${await builtPlat()}' "$@"; }\n`;
    const typed = command.replace('/home/alice', machine.home);
    expect(typed).not.toBe(command);
    const env = { PATH: programs.path, HOME: machine.home, ...WITHOUT_INTERNET };
    return ended(spawn('/bin/sh', ['-c', shell + typed], { cwd, env }));
  }

  it('has the command that makes an environment which commits and signs in as the person', async () => {
    const { machine, programs } = stand;
    await writeFile(join(machine.home, '.shop-token'), 'token-of-shop\n', { mode: 0o600 });
    const run = await typeInit(machine.home);
    expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('warning')]);
    expect(await stand.config('acme/dev/')).toMatchObject({
      repoUrl: 'https://git.example.com/acme/shop.git',
      git: {
        name: 'Alice Doe',
        email: 'alice@example.com',
        credential: { tokenFile: join(machine.home, '.shop-token') },
      },
    });
    const written = (await programs.calls()).filter(({ input }) => input.includes('acme-runtime-git'));
    expect(written.length).toBeGreaterThan(0);
  });

  it("has the project's block, with which another kind of credential is refused", async () => {
    const { folder } = await GateCheckout.create(stand.machine);
    await mkdir(join(folder, '.plat'));
    await writeFile(join(folder, '.plat', 'config.yaml'), block('yaml'));
    const run = await typeInit(folder);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('GIT_CREDENTIAL_UNFIT')]);
  });
});
