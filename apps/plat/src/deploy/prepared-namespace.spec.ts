import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { clusterPrograms, type ToolScript } from '../black-box/cluster-programs';
import { Machine, WITHOUT_INTERNET } from '../black-box/plat-process';

const ID = '0190aaaa-0000-7000-8000-000000000001';
const OTHER_ID = '0190aaaa-0000-7000-8000-000000000002';
const UID = '7b1f7e2c-0000-4000-8000-000000000001';
const BASE: ToolScript[] = [
  {
    when: /config view/,
    stdout: JSON.stringify({ 'current-context': 'kind-one', contexts: [{ name: 'kind-one' }] }),
  },
  { when: /helm version/, stdout: 'v4.3.1+g1\n' },
  { when: /resourceVersion/, stdout: '41' },
];
/** With a label of an unregistered environment it begins with another way. */
const NEXT =
  /^(?:register .*: plat init acme dev; or )?see who may read its secrets \(kubectl --context kind-one --namespace acme-dev get rolebindings\), then plat deploy acme dev --accept-namespace$/;
/** Whoever prepares a namespace can put anything into it. */
const RELEASE: ToolScript = {
  when: /get deployment acme-runtime /,
  stdout: 'deployment.apps/acme-runtime\n',
};

/** The API server refuses to make a namespace that is there. */
const EXISTS: ToolScript = {
  when: /create --filename/,
  code: 1,
  stderr: 'Error from server (AlreadyExists): namespaces "acme-dev" already exists',
};

const namespaceWith = (labels: object, uid = UID, annotations = {}): ToolScript => ({
  when: /get namespace/,
  stdout: JSON.stringify({ metadata: { name: 'acme-dev', uid, labels, annotations } }),
});

describe('a namespace that another person of the cluster has made in advance', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp(config = '') {
    const machine = await Machine.create();
    machines.push(machine);
    const folder = join(machine.configFolder, 'acme', 'dev');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'config.yaml'), `type: remote-agent\n${config}`);
    const programs = await clusterPrograms(machine.home);
    const first = join(machine.home, 'first-programs');
    const env = { PATH: `${first}${delimiter}${programs.path}`, ...WITHOUT_INTERNET };
    return {
      /** Lets the cluster make the namespace, and answer as to a second request for it. */
      answerTwice: async () => {
        await mkdir(first);
        const made = join(first, 'made.json');
        const script = `#!/bin/sh
case "$*" in
  *' create --filename '*) sed 's/"name":/"uid":"${UID}",&/' > ${made}; echo '${EXISTS.stderr}' >&2; exit 1 ;;
  *' get namespace '*) if [ -e ${made} ]; then cat ${made}; fi ;;
  *) exec ${join(machine.home, 'cluster-programs', 'kubectl')} "$@" ;;
esac
`;
        await writeFile(join(first, 'kubectl'), script, { mode: 0o755 });
      },
      deploy: async (found: ToolScript[], ...args: string[]) => {
        const before = (await programs.calls()).length;
        await programs.answer([...found, ...BASE]);
        const run = await machine.plat(['deploy', 'acme', 'dev', '--json', ...args], { env });
        const written = (await programs.calls()).slice(before).filter(({ input }) => input !== '');
        const token = written.map(({ input }) => /acme-runtime-mcp".*"token":"([^"]+)"/.exec(input)?.[1]);
        return {
          run,
          kinds: written.map(({ input }) => /"kind":"(\w+)"/.exec(input)?.[1] ?? 'values'),
          token: token.find((text) => text !== undefined),
        };
      },
      /** Deploys until kubectl has created the namespace, and is killed then. @returns the annotations of the namespace */
      dieAtCreation: async () => {
        await programs.answer([{ when: /create --filename/, stdout: UID, signals: 'SIGKILL' }, ...BASE]);
        const killed = await machine.plat(['deploy', 'acme', 'dev'], { env, ownProcess: true });
        expect(killed.code).toBe(null);
        const creation = (await programs.calls()).findLast(({ argv }) => argv.includes('create'));
        return (JSON.parse(creation?.input ?? '') as { metadata: { annotations: object } }).metadata
          .annotations;
      },
    };
  }

  it.each([
    ['no label', '', {}],
    ['no label, for a registered environment', `environmentId: ${ID}\n`, {}],
    ['the label of another environment', `environmentId: ${ID}\n`, { 'plat.dev/environment-id': OTHER_ID }],
    ['a label, for one that is not registered', '', { 'plat.dev/environment-id': ID }],
  ])('gets no secret: one with %s', async (_, config, labels) => {
    const { deploy } = await setUp(config);
    const { run, kinds } = await deploy([namespaceWith(labels), RELEASE]);
    expect([run.code, kinds]).toEqual([1, []]);
    expect(run.json()).toMatchObject({
      code: 'NAMESPACE_NOT_OWN',
      details: {
        next: expect.stringMatching(NEXT) as string,
      },
    });
  });

  it('is used once the person has accepted it, now and later', async () => {
    const { deploy } = await setUp();
    const found = [namespaceWith({}), RELEASE];
    expect((await deploy(found, '--accept-namespace')).kinds).toContain('Secret');
    expect((await deploy(found)).run.code).toBe(0);
    const another = [namespaceWith({}, '7b1f7e2c-0000-4000-8000-000000000002'), RELEASE];
    expect((await deploy(another)).run.json()).toMatchObject({ code: 'NAMESPACE_NOT_OWN' });
  });

  it('is used if it has the label of the environment, such as one of another machine', async () => {
    const { deploy } = await setUp(`environmentId: ${ID}\n`);
    expect((await deploy([namespaceWith({ 'plat.dev/environment-id': ID })])).run.code).toBe(0);
  });

  it('differs from one that this machine has made', async () => {
    const { deploy } = await setUp();
    expect((await deploy([{ when: /create --filename/, stdout: UID }])).run.code).toBe(0);
    expect((await deploy([namespaceWith({})])).run.code).toBe(0);
  });

  it('differs from those that this machine has made in two clusters in turn', async () => {
    const { deploy } = await setUp();
    const other = '7b1f7e2c-0000-4000-8000-000000000002';
    for (const uid of [UID, other]) await deploy([{ when: /create --filename/, stdout: uid }]);
    for (const uid of [UID, other]) expect((await deploy([namespaceWith({}, uid)])).run.code).toBe(0);
  });

  it('differs from one whose deploy was killed before it knew the uid', async () => {
    const { deploy, dieAtCreation } = await setUp();
    const annotations = await dieAtCreation();
    expect((await deploy([namespaceWith({})])).run.json()).toMatchObject({ code: 'NAMESPACE_NOT_OWN' });
    expect((await deploy([namespaceWith({}, UID, annotations)])).run.code).toBe(0);
    const copied = namespaceWith({}, '7b1f7e2c-0000-4000-8000-000000000002', annotations);
    expect((await deploy([copied])).run.json()).toMatchObject({ code: 'NAMESPACE_NOT_OWN' });
    expect(await dieAtCreation()).not.toEqual(annotations);
  });

  describe('and put a token for the MCP server into', () => {
    const known = Buffer.from('token-that-the-other-person-knows-01').toString('base64');
    const holding = (token?: string): ToolScript => ({
      when: /get secret acme-runtime-mcp/,
      stdout: token ?? '',
    });
    const label = { 'plat.dev/environment-id': ID };

    it('gets another token when the person accepts it, which later deploys keep', async () => {
      const { deploy } = await setUp();
      const found = [namespaceWith({}), RELEASE];
      const accepted = await deploy([...found, holding(known)], '--accept-namespace');
      expect([accepted.run.code, accepted.token]).toEqual([0, expect.stringMatching(/^[\w+/]{50,}=*$/)]);
      expect(accepted.token).not.toBe(known);
      for (const args of [[], ['--accept-namespace']]) {
        const later = await deploy([...found, holding(accepted.token)], ...args);
        expect([later.run.code, later.token]).toEqual([0, accepted.token]);
      }
    });

    it('gets another token even if the deploy that accepted it was stopped before it wrote that', async () => {
      const { deploy } = await setUp(`environmentId: ${ID}\n`);
      const found = [namespaceWith({}), RELEASE, holding(known)];
      const refusal = { when: / apply /, code: 1, stderr: 'Error from server (Forbidden): no' };
      expect((await deploy([...found, refusal], '--accept-namespace')).run.code).toBe(1);
      expect((await deploy(found)).run.json()).toMatchObject({ code: 'NAMESPACE_NOT_OWN' });
      expect((await deploy(found, '--accept-namespace')).token).not.toBe(known);
    });

    it('keeps the token if it has the label of the environment', async () => {
      const { deploy } = await setUp(`environmentId: ${ID}\n`);
      const kept = await deploy([namespaceWith(label), holding(known)], '--accept-namespace');
      expect(kept.token).toBe(known);
    });
  });

  it('is not changed if it comes between the look and the creation', async () => {
    const { deploy } = await setUp();
    const look: ToolScript = { when: /get namespace/, stdout: '', once: true };
    const { run, kinds } = await deploy([look, EXISTS, namespaceWith({})]);
    expect([run.json<{ code: string }>().code, kinds]).toEqual(['NAMESPACE_NOT_OWN', ['Namespace']]);
  });

  it('gets no secret if it comes between the look and the creation, and is gone at the next look', async () => {
    const { deploy } = await setUp();
    const { run, kinds } = await deploy([EXISTS]);
    expect([run.code, kinds]).toEqual([1, ['Namespace']]);
    expect(run.stderr + run.stdout).toContain('AlreadyExists');
  });

  it('differs from one that the same deploy has made by a request that was sent twice', async () => {
    const { deploy, answerTwice } = await setUp();
    await answerTwice();
    expect((await deploy([])).kinds).toContain('Secret');
    expect((await deploy([namespaceWith({})])).run.code).toBe(0);
  });
});
