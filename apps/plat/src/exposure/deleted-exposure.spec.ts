import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  ENVIRONMENT_ID,
  type ExposureFacts,
  exposureStands,
  REGISTERED,
  REMOVAL,
} from '../black-box/exposure-stand';
import { ended } from '../black-box/plat-process';

const LOOK = 'kubectl --context kind-one get namespace acme-dev --ignore-not-found --output name';
const DELETION = 'kubectl --context kind-one delete namespace acme-dev --ignore-not-found';
const CONFIG = 'type: runtime\nkubernetesContext: kind-one\n';

const stands = exposureStands();

async function start(facts?: ExposureFacts) {
  const stand = await stands.start(facts);
  const lines = async () => (await stand.calls()).map(({ argv }) => argv.join(' '));
  const own = join(stand.machine.configFolder, 'acme', 'dev', 'config.yaml');
  return { ...stand, lines, own, isForgotten: () => !existsSync(own) };
}

const DELETE = ['delete', 'acme', 'dev', '--yes', '--json'];

describe('plat delete, Rule H11,', () => {
  it('removes the record after the namespace', async () => {
    const { run, lines, isForgotten } = await start();
    const deleted = await run(DELETE);
    expect([deleted.code, deleted.json()]).toEqual([0, expect.objectContaining({ unexposed: true })]);
    expect(deleted.json()).not.toHaveProperty('exposureNote');
    expect(await lines()).toEqual([LOOK, DELETION, LOOK, REMOVAL]);
    expect(isForgotten()).toBe(true);
  });

  it('reads the platform block at localRepoPath where the working folder is another', async () => {
    const { run, lines, folder, machine, write, own } = await start();
    await write(own, `${CONFIG}localRepoPath: ${folder}\n`);
    const other = join(machine.home, 'other');
    await write(join(other, '.git', 'HEAD'), '');
    await write(
      join(other, '.plat', 'config.yaml'),
      'platform: { basedomain: example.org, env: ops-main }\n',
    );
    expect((await run(DELETE, { cwd: other })).code).toBe(0);
    expect((await lines()).at(-1)).toBe(REMOVAL);
  });

  it('does nothing about public names where the project has no platform block', async () => {
    const { run, lines } = await start({ project: undefined });
    const deleted = await run(DELETE);
    expect([deleted.json(), deleted.stderr]).toEqual([expect.objectContaining({ unexposed: false }), '']);
    expect(deleted.json()).not.toHaveProperty('exposureNote');
    expect(await lines()).toEqual([LOOK, DELETION, LOOK]);
  });

  it('"A cleanup failure does not fail the delete and is only logged"', async () => {
    const { run, answer, isForgotten } = await start();
    await answer({
      when: /pdnsutil/,
      code: 1,
      stderr: 'Error from server (NotFound): deployments "ops-dns" not found',
    });
    const deleted = await run(DELETE);
    expect(deleted.code).toBe(0);
    expect(deleted.json()).toMatchObject({
      unexposed: false,
      exposureNote: expect.stringMatching(/^The public names of acme dev may be left: .*"ops-dns" not found/),
    });
    expect(deleted.stderr).toContain('The public names of acme dev may be left');
    expect(isForgotten()).toBe(true);
  });

  it('is not failed by a malformed platform block either', async () => {
    const { run, isForgotten } = await start({ project: 'platform: { colour: red }\n' });
    const deleted = await run(DELETE);
    expect([deleted.code, deleted.json().exposureNote]).toEqual([
      0,
      expect.stringContaining('platform.colour is no known key'),
    ]);
    expect(isForgotten()).toBe(true);
  });

  it('touches no record if the namespace stays', async () => {
    const { run, answer, lines, isForgotten } = await start();
    await answer({ when: /delete namespace/, code: 1, stderr: 'Error from server (Forbidden): no' });
    expect((await run(DELETE)).code).toBe(1);
    expect(await lines()).toEqual([LOOK, DELETION]);
    expect(isForgotten()).toBe(false);
  });

  it('stopped at the record, is completed by the same command', async () => {
    const { machine, programs, folder, run, answer, lines, isForgotten } = await start();
    await answer({ when: /pdnsutil/, hangs: true });
    const child = await machine.start(DELETE, { cwd: folder, env: { PATH: programs.path } });
    const end = ended(child);
    while (!(await lines()).some((line) => line.includes('pdnsutil'))) await new Promise(setImmediate);
    child.kill('SIGINT');
    expect((await end).json()).toMatchObject({ code: 'INTERRUPTED' });
    expect(isForgotten()).toBe(false);
    await answer();
    expect((await run(DELETE)).json()).toMatchObject({ unexposed: true });
    expect(isForgotten()).toBe(true);
  });

  it('with --dry-run prints the removal after the namespace', async () => {
    const { run, lines } = await start();
    const { plan } = (await run(['delete', 'acme', 'dev', '--dry-run', '--json'])).json<{ plan: string[] }>();
    expect(plan.slice(0, 2)).toEqual([DELETION, REMOVAL.replace('*.acme-dev', "'*.acme-dev'")]);
    expect(await lines()).toEqual([]);
  });

  it('lets the platform remove the record before its environment, where an alias is configured', async () => {
    const config = `${CONFIG}environmentId: ${ENVIRONMENT_ID}\nalias: work\n`;
    const { platform, run } = await stands.startWithAlias({ config });
    platform.answer(`GET /v1/environments/${ENVIRONMENT_ID}`, { body: REGISTERED });
    platform.answer(`DELETE /v1/environments/${ENVIRONMENT_ID}`, { body: REGISTERED });
    expect((await run(DELETE)).json()).toMatchObject({ unexposed: true, unregistered: true });
    const removals = platform.requests.filter(({ method }) => method === 'DELETE').map(({ url }) => url);
    expect(removals).toEqual([
      `/v1/environments/${ENVIRONMENT_ID}/hostname`,
      `/v1/environments/${ENVIRONMENT_ID}`,
    ]);
  });
});
