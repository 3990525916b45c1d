import { FORGE_REMOTE, FORGE_TOKEN, ForgeDouble } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { type Agent, agentOverStdio } from '../black-box/mcp-agent';
import { signedInMachine } from '../black-box/signed-in';

/** The tools that call the forge, each with arguments for a call that only reads. */
const OF_THE_FORGE = [
  ['exec_close-pr', { source: 's', sourceCommit: 'a'.repeat(40), preview: true }],
  ['exec_plan-ruleset-bypass', { ruleset: 42, queueIdentity: 'acme-queue' }],
  ['exec_reconcile-bypass', { expectedActor: ['acme-queue'] }],
  ['exec_report-commit-status', { source: 's', sourceCommit: 'a'.repeat(40), preview: true }],
] as const;

describe('a tool sends the token of the forge nowhere that an agent names', () => {
  let signedIn: Awaited<ReturnType<typeof signedInMachine>>;
  let forge: ForgeDouble;
  let agent: Agent;
  beforeAll(async () => {
    [signedIn, forge] = await Promise.all([signedInMachine(), ForgeDouble.start()]);
    const { machine } = signedIn;
    const { folder } = await GateCheckout.create(machine);
    const env = { GH_TOKEN: FORGE_TOKEN, GH_ENTERPRISE_TOKEN: FORGE_TOKEN };
    agent = await agentOverStdio(machine, { cwd: folder, env });
  });
  afterAll(async () => {
    await agent?.client.close();
    await Promise.all([forge?.close(), signedIn?.dispose()]);
  });

  it.each(OF_THE_FORGE)('%s takes no address of a forge', async (name, args) => {
    const given = { ...args, targetBranch: 'main', repository: FORGE_REMOTE, forgeUrl: forge.url };
    const { isError, value } = await agent.call(name, given);
    expect({ isError, value }).toEqual({
      isError: true,
      value: expect.stringMatching(/Unrecognized key: "forgeUrl"/),
    });
    expect(forge.calls).toEqual([]);
  });

  it.each(OF_THE_FORGE)('%s calls no host that only its repository names', async (name, args) => {
    const repository = 'https://forge.invalid/acme/app.git';
    const { isError, value } = await agent.call(name, { ...args, targetBranch: 'main', repository });
    expect({ isError, value }).toMatchObject({
      isError: true,
      value: { code: 'NO_FORGE_TOKEN', details: { host: 'forge.invalid' } },
    });
  });

  it('drive takes no address of a forge either', async () => {
    const { value } = await agent.call('drive', { targetBranch: 'main', forgeUrl: forge.url, preview: true });
    expect(value).toMatch(/Unrecognized key: "forgeUrl"/);
  });
});
