import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeLogFiles } from '@plat/testing';
import { checkLandings, landingStands } from '../black-box/checked-landings';
import { forkOf } from '../black-box/served-log';
import { shellQuote } from '../terminal/shell-quote';

describe('plat ledger check --export', () => {
  const setUp = landingStands();

  it('compares with an exported log, without a platform, after it has verified it', async () => {
    const stand = await setUp();
    const { checkout, log, signedIn } = stand;
    await stand.squash('First');
    await stand.squash('Second', { sealed: false });
    await stand.seal({ name: 'Second', commitId: await checkout.git('rev-parse', 'main~1') });
    log.addAudit(300);
    await checkout.commit({ bypass: 'bypass' }, 'Hotfix');
    await stand.push();
    const before = signedIn.platform.requests.length;
    const folder = join(signedIn.machine.home, 'export');
    await writeLogFiles(folder, log.files());
    const offline = ['--export', folder, '--key', log.verifierKey()];
    const { code, check, verdicts } = await checkLandings(stand, ...offline);
    expect(verdicts).toEqual(['BYPASS Hotfix', 'NO_RECEIPT Second', 'LANDED First', 'LANDED Second']);
    expect(check.log.size).toBe(log.size);
    expect(code).toBe(1);
    expect(signedIn.platform.requests).toHaveLength(before);
    expect((await stand.check('--export', folder)).code).toBe(1);
    log.entries[1]!.shown!.fields = log.entries[1]!.shown!.fields.replace('EXACT', 'UNKNOWN');
    await writeLogFiles(folder, log.files());
    expect((await checkLandings(stand, ...offline)).check).toMatchObject({
      code: 'LOG_ALTERED',
      details: { index: 1 },
    });
  });

  it('contacts no remote with an exported log, and says what the clone lacks', async () => {
    const stand = await setUp();
    const { checkout, log, signedIn } = stand;
    const contacted = join(signedIn.machine.home, 'contacted');
    const isContacted = () => rm(contacted).then(() => true);
    await stand.squash('First');
    const bypass = await checkout.commit({ bypass: 'bypass' }, 'Hotfix');
    await stand.squash('Rebased', { sourceTip: 'f'.repeat(40) });
    const tip = await checkout.git('rev-parse', 'main');
    const later = log.addLanding({ name: 'Later', remoteUrl: checkout.origin, commitId: 'e'.repeat(40) });
    const folder = join(signedIn.machine.home, 'export');
    await writeLogFiles(folder, log.files());
    const marked = `touch '${contacted}'; git-upload-pack`;
    await checkout.git('config', 'remote.origin.uploadpack', marked);
    const offline = ['--export', folder, '--key', log.verifierKey()];
    const { check, stderr } = await checkLandings(stand, ...offline);
    await expect(isContacted()).rejects.toThrow('ENOENT');
    expect(check.tip).toBe(tip);
    expect(stderr).toContain(`Compared main at ${tip} with`);
    expect(check.rows.find(({ index }) => index === later)).toMatchObject({
      verdict: 'NO_LANDING',
      detail: expect.stringContaining(
        'is not in this clone, which may be older than the export: git fetch origin',
      ),
    });
    expect(check.rows.find(({ commitId }) => commitId === bypass)).toMatchObject({
      detail: expect.stringContaining('whose reviewed commit is not in this clone'),
    });
    await checkLandings(stand);
    expect(await isContacted()).toBe(true);
  });

  it('names git fetch or the flag if the clone has no such branch to compare with an export', async () => {
    const stand = await setUp();
    const { checkout, log, signedIn } = stand;
    await stand.squash('First');
    const folder = join(signedIn.machine.home, 'export');
    await writeLogFiles(folder, log.files());
    const offline = ['--export', folder, '--key', log.verifierKey()];
    expect((await checkLandings(stand, ...offline, '--target-branch', 'release')).check).toMatchObject({
      code: 'NO_SUCH_TARGET',
      details: { next: 'git fetch origin, then repeat the command' },
    });
    await checkout.git('remote', 'set-head', 'origin', '--delete');
    expect((await checkLandings(stand, ...offline)).check).toMatchObject({ code: 'NO_TARGET_BRANCH' });
    expect((await checkLandings(stand, ...offline, '--target-branch', 'main')).verdicts).toEqual([
      'LANDED First',
    ]);
  });

  it.each(['by the platform', 'by an export'])(
    'lists an erased receipt, also the only one, %s',
    async (by) => {
      const stand = await setUp();
      const { log, signedIn } = stand;
      const judgeLandings = async () => {
        const folder = join(signedIn.machine.home, `export ${log.size}`);
        await writeLogFiles(folder, log.files());
        return by === 'by an export'
          ? checkLandings(stand, '--export', folder, '--key', log.verifierKey())
          : checkLandings(stand);
      };
      await stand.squash('Gone');
      log.erase([1]);
      const only = await judgeLandings();
      expect(only).toMatchObject({ code: 1, verdicts: ['UNREADABLE undefined'] });
      expect(only.check.rows[0]).toMatchObject({ index: 1, detail: 'the receipt in entry 1 was erased' });
      await stand.squash('First');
      expect(await judgeLandings()).toMatchObject({
        code: 1,
        verdicts: ['UNREADABLE undefined', 'LANDED First'],
      });
    },
  );

  it('refuses a sound export that is older than what this client has seen, or contradicts it', async () => {
    const stand = await setUp();
    const { log, signedIn } = stand;
    await stand.squash('First');
    log.addAudit(3);
    expect((await checkLandings(stand)).code).toBe(0);
    const fork = forkOf(log, 2);
    fork.addAudit(9);
    const [folder, older] = ['export', 'older'].map((name) => join(signedIn.machine.home, name));
    await writeLogFiles(older!, log.files({ size: 2 }));
    const outdated = await checkLandings(stand, '--export', older!, '--key', log.verifierKey());
    expect(outdated.check).toMatchObject({
      code: 'EXPORT_OUTDATED',
      details: { next: expect.stringContaining(`plat audit export ${shellQuote([older!])}`) },
    });
    await writeLogFiles(folder!, fork.files({ keys: [log.key] }));
    const { code, check } = await checkLandings(stand, '--export', folder!, '--key', log.verifierKey());
    expect(check).toMatchObject({ code: 'LOG_CONTRADICTS' });
    expect(code).toBe(3);
  });
});
