import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { landingStands } from '../black-box/checked-landings';
import type { LandingStand } from '../black-box/landing-stand';
import type { StandingCheck, StandingLanding } from './standing-report';

/** Milliseconds of a case: each runs git and plat many times. */
jest.setTimeout(60_000);

const FIX = ['check the sender', 'check the amount', 'check the receiver']
  .map((line) => `${line}\n`)
  .join('');

async function stillThere(stand: LandingStand, ...args: string[]) {
  const run = await stand.check('--still-there', ...args);
  const check = run.json<StandingCheck>();
  const states = check.landings?.map(({ state, reviewName }) => `${state} ${reviewName}`);
  return { code: run.code, check, states, stderr: run.stderr };
}

/** The places of a list, each as `path:lines kind certainty by name`. */
const places = (landing: StandingLanding | undefined, list: 'undone' | 'reverted' | 'edited') =>
  landing?.[list].map(({ path, firstLine, lastLine, kind, certainty, by }) =>
    [`${path}:${firstLine}-${lastLine}`, kind, certainty, 'by', by.reviewName].join(' '),
  );

/** Lands a fix by a branch, then a branch that parted before it. @returns the fix's review */
async function landFixThen(
  stand: LandingStand,
  name: string,
  work: () => Promise<unknown>,
): Promise<{ fix: string; commitId: string }> {
  const { checkout } = stand;
  await checkout.git('branch', 'later');
  const commitId = await checkout.commit({ 'fix.txt': FIX }, 'Fix');
  await stand.push();
  const fix = await stand.seal({ name: 'Fix' });
  await checkout.git('switch', '--quiet', 'later');
  await work();
  const sourceTip = await checkout.git('rev-parse', 'later');
  await checkout.git('switch', '--quiet', 'main');
  await checkout.git('merge', '--quiet', '--squash', 'later');
  await checkout.git('commit', '--quiet', '--allow-empty', '-m', name);
  await stand.push();
  await stand.seal({ name, sourceTip, sourceBranch: 'later' });
  return { fix, commitId };
}

describe('plat ledger check --still-there', () => {
  const setUp = landingStands();

  it('finds all work there, also where later landings went on from it', async () => {
    const stand = await setUp();
    await stand.squash('First');
    await stand.checkout.commit({ 'First.txt': 'First, and then more of it\n' }, 'Second');
    await stand.push();
    await stand.seal({ name: 'Second' });
    const { code, check, states } = await stillThere(stand);
    expect(states).toEqual(['standing Second', 'edited First']);
    expect(places(check.landings[1], 'edited')).toEqual(['First.txt:1-1   by Second']);
    expect(check).toMatchObject({ sound: true, stands: true, window: { landings: 2, isComplete: true } });
    expect(code).toBe(0);
  });

  it('names work that a later landing undid, how, and the commands that land it again, which do so', async () => {
    const stand = await setUp();
    const { checkout } = stand;
    await stand.squash('First');
    const { fix, commitId } = await landFixThen(stand, 'Later', async () => {
      await checkout.commit({ 'later.txt': 'later\n' }, 'work');
      await checkout.git('merge', '--quiet', '-s', 'ours', '--no-edit', 'main');
    });
    const { code, check, states } = await stillThere(stand);
    expect(states).toEqual(['standing Later', 'undone Fix', 'standing First']);
    const undone = check.landings[1]!;
    expect(undone).toMatchObject({ reviewId: fix, commitId, reverted: [], edited: [] });
    expect(places(undone, 'undone')).toEqual(['fix.txt:1-3 dropped_by_merge sure by Later']);
    expect(check).toMatchObject({ sound: true, stands: false });
    expect(code).toBe(1);
    const short = commitId.slice(0, 10);
    expect(undone.landAgain).toEqual([
      'git fetch origin',
      `git switch --no-track -c reland/${short} origin/main`,
      `git cherry-pick -x ${commitId}`,
      'plat submit',
    ]);
    for (const command of undone.landAgain!.slice(0, 3)) await checkout.git(...command.split(' ').slice(1));
    await checkout.git('push', '--quiet', 'origin', 'HEAD:main');
    const again = await stillThere(stand, '--since', commitId);
    expect(again.states).toEqual(['standing Fix', 'edited Later']);
    const whole = await stillThere(stand);
    expect(whole.states).toEqual(['standing Fix', 'edited Later', 'standing Fix', 'standing First']);
    expect(whole.check.stands).toBe(true);
  });

  it('distinguishes a revert that says so from lost work', async () => {
    const stand = await setUp();
    const { checkout } = stand;
    const fix = await checkout.commit({ 'fix.txt': FIX }, 'Fix');
    await stand.push();
    await stand.seal({ name: 'Fix' });
    await checkout.git('revert', '--no-edit', fix);
    await stand.push();
    await stand.seal({ name: 'Revert "Fix"' });
    const { code, check, states } = await stillThere(stand);
    expect(states).toEqual(['standing Revert "Fix"', 'reverted Fix']);
    expect(places(check.landings[1], 'reverted')).toEqual(['fix.txt:1-3 deleted possible by Revert "Fix"']);
    expect(code).toBe(0);
  });

  it('names a revert that a later landing undoes by accident, since no words say that it lands the work again', async () => {
    const stand = await setUp();
    const { checkout } = stand;
    const hole = await checkout.commit({ 'auth.txt': FIX }, 'Hole');
    await stand.push();
    await stand.seal({ name: 'Hole' });
    await checkout.git('branch', 'later');
    await checkout.git('revert', '--no-edit', hole);
    await stand.push();
    await stand.seal({ name: 'Revert "Hole"' });
    await checkout.git('switch', '--quiet', 'later');
    await checkout.commit({ 'later.txt': 'later\n' }, 'work');
    await checkout.git('merge', '--quiet', '-s', 'ours', '--no-edit', 'main');
    const sourceTip = await checkout.git('rev-parse', 'later');
    await checkout.git('switch', '--quiet', 'main');
    await checkout.git('merge', '--quiet', '--squash', 'later');
    await checkout.git('commit', '--quiet', '-m', 'Later');
    await stand.push();
    await stand.seal({ name: 'Later', sourceTip, sourceBranch: 'later' });
    const { code, states } = await stillThere(stand);
    expect(states).toEqual(['standing Later', 'undone Revert "Hole"', 'standing Hole']);
    expect(code).toBe(1);
  });

  it('names a landing whose commit is gone from the branch as missing, even if the window begins later', async () => {
    const stand = await setUp();
    const { checkout } = stand;
    const first = await stand.squash('First');
    const gone = await stand.squash('Gone');
    await checkout.git('reset', '--quiet', '--hard', first);
    await checkout.commit({ other: 'x' }, 'Other');
    await stand.push('--force');
    await stand.seal({ name: 'Other' });
    const { code, check, states } = await stillThere(stand);
    expect(states).toEqual(['missing Gone', 'standing Other', 'standing First']);
    expect(check.landings[0]).toMatchObject({ commitId: gone, detail: expect.stringContaining('is not in') });
    expect(check.landings[0]!.landAgain).toContain(`git cherry-pick -x ${gone}`);
    expect({ code, sound: check.sound, stands: check.stands }).toEqual({
      code: 1,
      sound: false,
      stands: false,
    });
  });

  it('does the same offline with an exported log, and with landings that have no receipt', async () => {
    const stand = await setUp();
    const { checkout, signedIn } = stand;
    await stand.squash('First');
    await checkout.commit({ 'hotfix.txt': FIX }, 'Hotfix');
    await checkout.git('rm', '--quiet', 'hotfix.txt');
    await checkout.commit({ 'later.txt': 'later\n' }, 'Later');
    await stand.push();
    await stand.seal({ name: 'Later' });
    const folder = await mkdtemp(join(tmpdir(), 'plat-export-'));
    try {
      const exported = join(folder, 'log');
      const key = stand.log.verifierKey();
      const run = await signedIn.machine.plat(['audit', 'export', exported, '--json'], {
        cwd: checkout.folder,
      });
      expect(run.code).toBe(0);
      await checkout.git('fetch', '--quiet', 'origin');
      const before = signedIn.platform.requests.length;
      const { code, check, states } = await stillThere(stand, '--export', exported, '--key', key);
      expect(signedIn.platform.requests).toHaveLength(before);
      expect(states).toEqual(['standing Later', 'edited Hotfix', 'standing First']);
      expect(check.landings[1]).not.toHaveProperty('reviewId');
      expect({ code, stands: check.stands, sound: check.sound }).toEqual({
        code: 1,
        stands: true,
        sound: false,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('says it to a person: who undoes which lines, and the commands', async () => {
    const stand = await setUp();
    const { checkout, signedIn } = stand;
    const { fix, commitId } = await landFixThen(stand, 'Later', async () => {
      await checkout.commit({ 'later.txt': 'later\n' }, 'work');
      await checkout.git('merge', '--quiet', '-s', 'ours', '--no-edit', 'main');
    });
    const run = await signedIn.machine.plat(['ledger', 'check', '--still-there'], { cwd: checkout.folder });
    expect(run.stdout).toContain(`review ${fix}, commit ${commitId.slice(0, 10)} is undone\n`);
    expect(run.stdout).toMatch(
      /\n {2}"Later" \(review \S+, commit \S+\) undoes fix\.txt:1-3: lost in a merge of the target, outside of any conflict \(\S+\), sure\n {2}land it again:\n {4}git fetch origin\n/,
    );
    expect(run.stdout).toMatch(/\n2 landings were examined: 1 undone, 1 as they landed\.\n$/);
    expect(run.stderr).toContain('Not all that has landed is still there, and no later landing says why.');
    expect(run.code).toBe(1);
  });

  it('refuses a shallow clone, and a folder that is no checkout', async () => {
    const stand = await setUp();
    const { checkout, signedIn } = stand;
    await stand.squash('First');
    const folder = await mkdtemp(join(tmpdir(), 'plat-shallow-'));
    try {
      const plat = (cwd: string) =>
        signedIn.machine.plat(['ledger', 'check', '--still-there', '--json'], { cwd });
      expect((await plat(folder)).json()).toMatchObject({ code: 'NOT_A_CHECKOUT' });
      await checkout.git(
        'clone',
        '--quiet',
        '--depth=1',
        `file://${checkout.origin}`,
        join(folder, 'shallow'),
      );
      const shallow = await plat(join(folder, 'shallow'));
      expect(shallow.json()).toMatchObject({ code: 'SHALLOW_CHECKOUT' });
      expect(shallow.code).toBe(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
