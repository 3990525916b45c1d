import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Adapter } from 'oidc-provider';
import { IssuerState, PASSING_MAX } from './issuer-state';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-issuer-state-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the records of sign-ins that anyone may begin', () => {
  it('are bounded for each model: the one that was not used for the longest time is forgotten', async () => {
    const state = await IssuerState.open(join(folder, 'state.json'));
    const interactions = state.adapter('Interaction');
    const grants = state.adapter('Grant');
    await grants.upsert('grant', { accountId: 'alice' }, 60);
    await state.adapter('Session').upsert('session', { uid: 'session' }, 60);
    for (let at = 0; at <= PASSING_MAX; at += 1) await interactions.upsert(`${at}`, { uid: `${at}` }, 60);
    expect(await interactions.find('0')).toBeUndefined();
    expect(await interactions.findByUid('0')).toBeUndefined();
    expect(await interactions.find('1')).toEqual({ uid: '1' });
    expect(await interactions.find(`${PASSING_MAX}`)).toBeDefined();
    expect(await grants.find('grant')).toBeDefined();
    expect(await state.adapter('Session').find('session')).toBeDefined();
  });

  it.each<[string, (sessions: Adapter) => Promise<unknown>]>([
    ['written again', (sessions) => sessions.upsert('used', { uid: 'used' }, 60)],
    ['read', (sessions) => sessions.find('used')],
    ['read by its uid', (sessions) => sessions.findByUid('used')],
  ])('do not displace a session that is %s', async (_, use) => {
    const sessions = (await IssuerState.open(join(folder, 'none.json'))).adapter('Session');
    await sessions.upsert('used', { uid: 'used' }, 60);
    for (let at = 1; at < PASSING_MAX; at += 1) await sessions.upsert(`${at}`, { uid: `${at}` }, 60);
    await use(sessions);
    await sessions.upsert('last', { uid: 'last' }, 60);
    expect(await sessions.find('used')).toEqual({ uid: 'used' });
    expect(await sessions.find('1')).toBeUndefined();
  });
});
