import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { APPLIED, deployStands, HELM, VIEW } from '../black-box/deploy-stand';
import { ended } from '../black-box/plat-process';

describe('plat deploy', () => {
  const { setUp, withSecrets } = deployStands();

  it('applies a secret once more that another deploy has created at the same moment', async () => {
    const { programs, deploy } = await setUp();
    const stderr =
      'Error from server (AlreadyExists): error when creating "STDIN": secrets "acme-runtime-mcp" already exists';
    await programs.answer([{ when: /apply/, code: 1, stderr, once: true }, VIEW, HELM, APPLIED]);
    expect((await deploy()).code).toBe(0);
    const applied = (await programs.calls()).filter(({ argv }) => argv.includes('apply'));
    expect(applied.map(({ input }) => input.includes('"Secret"'))).toEqual([true, true]);
  });

  it('makes another token for each environment', async () => {
    const tokens = [];
    for (const world of [await setUp(), await setUp()]) {
      await world.deploy();
      const written = (await world.programs.calls()).find(({ input }) => input.includes('acme-runtime-mcp'));
      tokens.push((JSON.parse(written?.input ?? '') as { data: { token: string } }).data.token);
    }
    expect(new Set(tokens).size).toBe(2);
  });

  it('leaves an environment stopped that plat stop stopped while helm ran', async () => {
    const { programs, deploy, folder, machine } = await setUp();
    // helm upgrades, and meanwhile the mark is written.
    const helm = `#!/bin/sh
if [ "$1" = version ]; then echo v4.3.1; exit; fi
cat > /dev/null
echo 'stopped: true' >> ${folder}/config.yaml
`;
    await writeFile(join(machine.home, 'cluster-programs', 'helm'), helm, { mode: 0o755 });
    expect((await deploy('--json')).json()).toMatchObject({ replicas: 0 });
    const scaled = (await programs.calls()).filter(({ argv }) => argv.includes('scale'));
    expect(scaled.map(({ argv }) => argv.slice(-2))).toEqual([['deployment/acme-runtime', '--replicas=0']]);
  });

  it.each([
    ['the namespace', /create --filename -/],
    ['a secret', /resourceVersion/],
    ['the chart', /upgrade/],
  ])('stopped at %s, it is mended by the same command', async (_, when) => {
    const { machine, programs, deploy } = await withSecrets();
    await programs.answer([VIEW, HELM, { when, hangs: true }, APPLIED]);
    const child = await machine.start(['deploy', 'acme', 'dev', '--json'], { env: { PATH: programs.path } });
    const end = ended(child);
    const hasBegun = async () => (await programs.calls()).some(({ argv }) => when.test(argv.join(' ')));
    while (!(await hasBegun())) await new Promise(setImmediate);
    child.kill('SIGINT');
    expect((await end).json()).toMatchObject({
      code: 'INTERRUPTED',
      details: { next: 'repeat the command' },
    });
    await programs.answer([VIEW, HELM, APPLIED]);
    expect((await deploy()).code).toBe(0);
  });
});
