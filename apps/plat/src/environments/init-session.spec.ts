import { readFile, writeFile } from 'node:fs/promises';
import { ID, type InitProvider, type InitStand, setUpInit, VIEW } from '../black-box/init-stand';
import { REFRESH_TOKEN } from '../black-box/signed-in';

let bundle: InitStand;
const start = async (provider?: InitProvider) => (bundle = await setUpInit(provider));
afterEach(() => bundle.dispose());

describe('the session of plat init', () => {
  it('is none on a machine without an alias, with what to do; the environment is made. Spec: Client, Authentication, rule 4', async () => {
    const { init, machine, read } = await start();
    await machine.plat(['cloud', 'remove', 'work']);
    const run = await init('acme', 'dev', '--no-deploy');
    expect(run.code).toBe(0);
    expect(run.json()).toMatchObject({
      session: { provisioned: false, code: 'NO_PLATFORM_ALIAS' },
      registration: { registered: false, code: 'NO_PLATFORM_ALIAS' },
    });
    expect(run.stderr).toContain('next: plat cloud init <alias> --api-url <url>, then repeat the command');
    await expect(read('acme/dev/session.json')).rejects.toThrow('ENOENT');
  });

  it('is none on a machine that is signed out, and the same command mends it after the sign-in', async () => {
    const { init, machine } = await start();
    await machine.plat(['cloud', 'logout']);
    const run = await init('acme', 'dev', '--no-deploy');
    expect(run.json()).toMatchObject({
      session: { provisioned: false, code: 'SIGNED_OUT', next: 'plat cloud login --alias work' },
    });
  });

  it('never is the rotating token of this machine', async () => {
    const { init, machine, read } = await start({ exchange: false });
    const run = await init('acme', 'dev', '--no-deploy');
    expect(run.json()).toMatchObject({
      session: {
        provisioned: false,
        code: 'SESSION_NEEDS_PERSON',
        next: 'repeat the command on a terminal',
      },
    });
    await expect(read('acme/dev/session.json')).rejects.toThrow('ENOENT');
    expect((await machine.plat(['cloud', 'status'])).stderr).not.toContain('SIGNED_OUT');
  });

  it('is shared, with a warning, at a provider that does not rotate', async () => {
    const { init, read } = await start({ exchange: false, rotates: false });
    const run = await init('acme', 'dev', '--no-deploy');
    expect(run.json()).toMatchObject({ session: { provisioned: true, by: 'shared' } });
    expect(run.stderr).toContain('signing out here signs the environment out');
    expect(JSON.parse(await read('acme/dev/session.json'))).toMatchObject({
      refreshToken: REFRESH_TOKEN,
    });
  });

  it('that cannot be renewed fails the command, which deploys nothing and names the one that stays', async () => {
    const { init, machine, programs } = await start();
    await init('acme', 'dev', '--no-deploy');
    await machine.plat(['cloud', 'logout']);
    const run = await init('acme', 'dev', '--renew-session');
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'SIGNED_OUT',
      message:
        'The session is not renewed: You are not signed in to work. The earlier one, with work, stays.',
      details: { earlier: { alias: 'work' }, next: 'plat cloud login --alias work' },
    });
    expect((await programs.calls()).some(({ argv }) => argv.includes('upgrade'))).toBe(false);
  });

  it('that cannot be renewed for want of an alias fails the command', async () => {
    const { init, machine } = await start();
    await machine.plat(['cloud', 'remove', 'work']);
    const run = await init('acme', 'dev', '--renew-session', '--no-deploy');
    expect(run.json()).toMatchObject({ code: 'NO_PLATFORM_ALIAS' });
    expect(run.code).toBe(1);
  });

  it('that is shared is kept only while this machine has it', async () => {
    const { init, machine, read, sessionPath } = await start({ exchange: false, rotates: false });
    await init('acme', 'dev', '--no-deploy');
    expect((await init('acme', 'dev', '--no-deploy')).json()).toMatchObject({ session: { by: 'kept' } });
    const session = await readFile(sessionPath, 'utf8');
    await writeFile(sessionPath, session.replaceAll(REFRESH_TOKEN, 'refresh-of-next-sign-in'));
    expect((await init('acme', 'dev', '--no-deploy')).json()).toMatchObject({ session: { by: 'shared' } });
    expect(JSON.parse(await read('acme/dev/session.json'))).toMatchObject({
      refreshToken: 'refresh-of-next-sign-in',
    });
    await machine.plat(['cloud', 'logout']);
    const run = await init('acme', 'dev');
    expect(run.json()).toMatchObject({
      session: { provisioned: false, code: 'SIGNED_OUT', earlier: { alias: 'work', isOutdated: true } },
    });
    expect(run.stderr).toContain('The earlier one, with work, is one of this machine that it no longer has.');
    expect(run.stderr).toContain('acme-dev shares a session that this machine no longer has');
  });
});

it('says that the registration failed before a deploy that fails without it, as on a second machine', async () => {
  const { init, config, platform, programs } = await start();
  platform.answer('POST /v1/environments', {
    status: 403,
    body: { code: 'FORBIDDEN', message: 'You may not do that.' },
  });
  const metadata = { name: 'acme-dev', uid: 'u', labels: { 'plat.dev/environment-id': ID } };
  await programs.answer([
    { when: /config view/, stdout: VIEW },
    { when: /^helm version/, stdout: 'v3.18.1\n' },
    { when: /get namespace/, stdout: JSON.stringify({ metadata }) },
  ]);
  const run = await init('acme', 'dev');
  expect(run.stderr).toContain('warning: not registered on the platform: You may not do that.');
  expect(run.json()).toMatchObject({
    code: 'NAMESPACE_NOT_OWN',
    details: {
      next: expect.stringMatching(
        /^register the environment, by whose id the namespace is known: plat init acme dev; or /,
      ) as string,
    },
  });
  expect(await config('acme/dev/')).not.toHaveProperty('environmentId');
  expect((await programs.calls()).filter(({ input }) => input !== '')).toEqual([]);
});

describe("the platform's record", () => {
  const RECORD = { environmentId: ID, name: 'dev', namespace: 'acme-dev' };
  const FOREIGN_ID = '0198f2a4-0000-7000-8000-000000000009';

  it('of another tenant is not taken over by its name alone, and none is made', async () => {
    const { init, config, platform } = await start();
    platform.answer('GET /v1/environments', { body: [RECORD] });
    const run = await init('beta', 'dev', '--no-deploy');
    expect(run.json()).toMatchObject({
      registration: {
        registered: false,
        code: 'FOREIGN_RECORD',
        reason: `The platform's environment ${ID} has the namespace acme-dev, not beta-dev.`,
        next: "give the environment the platform's names: plat init acme dev",
      },
    });
    expect(await config('beta/dev/')).not.toHaveProperty('environmentId');
    expect((await init('beta', 'test', '--no-deploy')).json()).toMatchObject({
      registration: { registered: false, code: 'FOREIGN_RECORD' },
    });
    expect(platform.to('POST /v1/environments')).toEqual([]);
  });

  it('without a namespace is that of another tenant, and the environment gets one of its own', async () => {
    const { init, config, platform } = await start();
    platform.answer('GET /v1/environments', { body: [{ environmentId: FOREIGN_ID, name: 'dev' }] });
    await init('acme', 'dev', '--no-deploy');
    expect(await config('acme/dev/')).toMatchObject({ environmentId: ID });
    expect(platform.to('POST /v1/environments')).toHaveLength(1);
  });

  it('whose id another environment of this machine has is not taken over', async () => {
    const { init, config, platform, write } = await start();
    await write('beta/dev/config.yaml', `type: runtime\nenvironmentId: ${ID}\n`);
    platform.answer('GET /v1/environments', { body: [RECORD] });
    const run = await init('acme', 'dev', '--no-deploy');
    expect(run.stderr).toContain(`The platform's environment ${ID} is that of beta dev on this machine.`);
    expect(run.json()).toMatchObject({ registration: { registered: false, code: 'RECORD_IN_USE' } });
    expect(await config('acme/dev/')).not.toHaveProperty('environmentId');
  });

  it('is had by the environment with its names', async () => {
    const { init, config, platform } = await start();
    platform.answer('GET /v1/environments', { body: [RECORD] });
    await init('acme', 'dev', '--no-deploy');
    expect(await config('acme/dev/')).toMatchObject({ environmentId: ID });
    expect(platform.to('POST /v1/environments')).toEqual([]);
  });
});
