import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolScript } from '../black-box/cluster-programs';
import { APPLIED, deployStands, HELM, VIEW } from '../black-box/deploy-stand';
import type { Machine } from '../black-box/plat-process';

const UID = '7b1f7e2c-0000-4000-8000-000000000001';

/** As if a deploy of this machine had made the namespace. */
const remember = (machine: Machine, uid: string): Promise<void> =>
  writeFile(join(machine.configFolder, 'acme', 'dev', 'namespace-uid'), `${uid}\n`);

describe('plat deploy', () => {
  const { setUp } = deployStands();

  describe('lets the platform remove the namespace of a registered environment, by the label with its id', () => {
    const ID = '0190aaaa-0000-7000-8000-000000000001';
    const LABEL = `plat.dev/environment-id=${ID}`;
    const setLabel = `kubectl --context kind-one --namespace acme-dev label namespace acme-dev ${LABEL}`;
    const namespaceWith = (labels: object): ToolScript => ({
      when: /get namespace/,
      stdout: JSON.stringify({ metadata: { name: 'acme-dev', uid: UID, labels } }),
    });
    const RELEASE: ToolScript = {
      when: /get deployment acme-runtime /,
      stdout: 'deployment.apps/acme-runtime\n',
    };

    /** A deploy of a registered environment over what the cluster has. @returns its warnings, and what it wrote */
    async function deployOver(...found: ToolScript[]) {
      const { machine, programs, deploy } = await setUp({ config: `environmentId: ${ID}\n` });
      await remember(machine, UID);
      await programs.answer([VIEW, HELM, APPLIED, ...found]);
      const run = await deploy('--json');
      const written = (await programs.calls()).filter(
        ({ argv, input }) =>
          /\b(apply|create --filename|label)\b/.test(argv.join(' ')) && !input.includes('"Secret"'),
      );
      const { warnings } = run.json<{ warnings: string[] }>();
      const [lines, inputs] = [written.map(({ argv }) => argv.join(' ')), written.map(({ input }) => input)];
      return {
        code: run.code,
        warnings: warnings.filter((line) => line.includes('namespace')),
        lines,
        inputs,
      };
    }

    it('a new one is made with it', async () => {
      const { lines, inputs } = await deployOver();
      expect(lines[0]).toMatch(/create --filename - /);
      expect(JSON.parse(inputs[0] ?? '')).toMatchObject({
        metadata: { labels: { [LABEL.split('=')[0]!]: ID } },
      });
    });

    it('one of an earlier deploy, with the release and no label, gets it; no label is ever overwritten', async () => {
      const { lines, warnings } = await deployOver(namespaceWith({}), RELEASE);
      expect([lines, warnings]).toEqual([[setLabel], []]);
    });

    it('one that has it is left as it is', async () => {
      const own = namespaceWith({ 'plat.dev/environment-id': ID });
      expect(await deployOver(own, RELEASE)).toMatchObject({ code: 0, lines: [], warnings: [] });
    });

    it.each([
      ['made for something else', {}, 'was not made by a deploy'],
      [
        'of another environment',
        { 'plat.dev/environment-id': 'other' },
        'has the label of the environment other',
      ],
    ])('one %s is left as it is, with a warning that has the command', async (_, labels, why) => {
      const { code, lines, warnings } = await deployOver(namespaceWith(labels));
      expect({ code, lines }).toEqual({ code: 0, lines: [] });
      expect(warnings).toEqual([expect.stringContaining(why)]);
      expect(warnings[0]).toContain(`${setLabel} --overwrite`);
    });

    it('that of an environment without an id keeps what labels it has', async () => {
      const { machine, programs, deploy } = await setUp();
      await remember(machine, UID);
      await programs.answer([VIEW, HELM, APPLIED, namespaceWith({ 'plat.dev/environment-id': ID }), RELEASE]);
      expect((await deploy()).code).toBe(0);
      expect((await programs.calls()).filter(({ input }) => input.includes('"Namespace"'))).toEqual([]);
    });

    it('a dry run shows both ways', async () => {
      const { deploy } = await setUp({ config: `environmentId: ${ID}\n` });
      const { plan } = (await deploy('--dry-run', '--json')).json<{ plan: string[] }>();
      expect(plan[0]).toMatch(/ # if it is missing, stdin: .*"plat\.dev\/environment-id":"0190/);
      expect(plan[1]).toBe(`${setLabel} # if an earlier deploy has made it without the label`);
    });
  });
});
