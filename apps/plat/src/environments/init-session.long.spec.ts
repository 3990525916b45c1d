import { ID, type InitProvider, type InitStand, setUpInit } from '../black-box/init-stand';

let bundle: InitStand;
const start = async (provider?: InitProvider) => (bundle = await setUpInit(provider));
afterEach(() => bundle.dispose());

describe('the session of plat init', () => {
  it('with an earlier alias is reported and not deployed, if there is none with the new one', async () => {
    const { init, machine, platform, programs } = await start();
    await init('acme', 'dev', '--no-deploy');
    await machine.plat(['cloud', 'init', 'other', '--api-url', platform.url]);
    const run = await init('acme', 'dev', '--alias', 'other', '--yes');
    expect(run.json()).toMatchObject({
      alias: 'other',
      session: { provisioned: false, code: 'SIGNED_OUT', earlier: { alias: 'work' } },
      deployed: { secrets: ['acme-runtime-mcp'] },
    });
    expect(run.stderr).toContain(
      'warning: no new session: You are not signed in to other. The earlier one, with work, stays.',
    );
    expect(run.stderr).toContain('acme-dev has a session with work, but its alias is other');
    const inputs = (await programs.calls()).map(({ input }) => input).join('');
    expect(inputs).not.toContain('acme-runtime-session');
  });

  it('does not fail an init whose registration fails', async () => {
    const { init, platform } = await start();
    platform.answer('POST /v1/environments', {
      status: 403,
      body: { code: 'FORBIDDEN', message: 'You may not do that.' },
    });
    const run = await init('acme', 'dev', '--no-deploy');
    expect(run.code).toBe(0);
    expect(run.json()).toMatchObject({ registration: { registered: false, code: 'FORBIDDEN' } });
    expect(run.stderr).toContain('warning: not registered on the platform: You may not do that.');
  });
});

describe("the platform's record", () => {
  it('without a namespace is not taken over by its id either', async () => {
    const { init, config, platform } = await start();
    await init('acme', 'dev', '--no-deploy');
    platform.answer(`GET /v1/environments/${ID}`, { body: { environmentId: ID, name: 'dev' } });
    expect((await init('acme', 'dev', '--no-deploy')).json()).toMatchObject({
      registration: {
        registered: false,
        code: 'FOREIGN_RECORD',
        reason: `The platform's environment ${ID} is that of another tenant.`,
      },
    });
    expect(await config('acme/dev/')).toMatchObject({ environmentId: ID });
  });

  it('is named and left if the alias changes, and the other platform gives the environment one of its own', async () => {
    const { init, config, machine, platform } = await start();
    await init('acme', 'dev', '--no-deploy');
    await machine.plat(['cloud', 'init', 'other', '--api-url', platform.url]);
    const run = await init('acme', 'dev', '--alias', 'other', '--yes', '--no-deploy');
    expect(run.json()).toMatchObject({ leftRecord: ID });
    expect(run.stderr).toContain(`the platform of the alias before still has the environment ${ID}`);
    expect(await config('acme/dev/')).toMatchObject({ alias: 'other' });
    expect(platform.to(`GET /v1/environments/${ID}`)).toEqual([]);
  });
});
