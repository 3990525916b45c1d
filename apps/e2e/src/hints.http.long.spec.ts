import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkout, DriveStand } from './drive-stand';

jest.setTimeout(120_000);

interface Refused {
  code: string;
  details: { next: string };
}

/** The values that replace the words in angle brackets. */
type Filled = Record<string, string>;

describe('the next step that a refusal names works as it is printed', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  async function expectRefusal(checkout: Checkout, args: string[]): Promise<Refused> {
    const run = await checkout.plat(args);
    expect({ args, code: run.code }).toEqual({ args, code: 1 });
    return JSON.parse(run.stdout) as Refused;
  }

  /** Types the first command line of the hint. */
  async function type(checkout: Checkout, { details }: Refused, filled: Filled = {}): Promise<string> {
    const line = /(?:plat|git) [^;,]+/.exec(details.next)?.[0] ?? '';
    const words = line
      .trim()
      .split(' ')
      .map((word) => filled[word] ?? word);
    expect(words.join(' ')).not.toMatch(/[<>]/);
    if (words[0] === 'git') return checkout.git(...words.slice(1));
    const run = await checkout.plat(words.slice(1));
    expect({ line, code: run.code, stderr: run.stderr }).toMatchObject({ line, code: 0 });
    return run.stdout;
  }

  it('for a queue that is empty, is held by a review, or is blocked by open threads', async () => {
    const checkout = await stand.repository('queue-hints');
    const advance = ['review', 'queue', 'advance', '--target-branch', 'main'];
    expect(await type(checkout, await expectRefusal(checkout, advance))).toContain('[]');
    const held = await checkout.propose('feature/1-held', { 'README.md': 'held\n' });
    const waiting = await checkout.propose('feature/2-waiting', { 'README.md': 'waiting\n' });
    const occupied = await expectRefusal(checkout, advance);
    expect(occupied.code).toBe('MERGE_QUEUE_OCCUPIED');
    expect(await type(checkout, occupied)).toContain(held);
    const thread = ['review', 'comment', waiting, '--file', 'README.md', '--line', '1', '--body', 'why?'];
    await checkout.json(thread);
    await checkout.plat(['drive', '--target-branch', 'main', '--gate-command', 'true', '--once']);
    const blocked = await expectRefusal(checkout, advance);
    expect(blocked.code).toBe('unresolved_threads');
    const [, override = ''] = /(plat review queue override-advance [^;]+)/.exec(blocked.details.next) ?? [];
    const typed = { ...blocked, details: { next: override } };
    expect(await type(checkout, typed, { '<text>': 'agreed' })).toContain('"MERGE"');
  });

  it('for a proposal whose branches are not on origin, and for one whose name is taken', async () => {
    const checkout = await stand.repository('proposal-hints');
    await checkout.git('switch', '--quiet', '--create', 'feature/1-part');
    await checkout.commit({ 'part.txt': 'part\n' }, 'Part');
    const early = await checkout.plat(['review', 'create', '--target-branch', 'mian']);
    expect(early).toMatchObject({ code: 0, stderr: expect.stringContaining('origin has no branch mian') });
    const [push = ''] = /git push .*/.exec(early.stderr) ?? [];
    await checkout.git(...push.split(' ').slice(1));
    const taken = await expectRefusal(checkout, ['review', 'create', '--target-branch', 'main']);
    expect(taken.code).toBe('CONFLICT');
    expect(await type(checkout, taken, { '<text>': 'Another' })).toContain('"OPEN"');
  });

  it('for a review whose status does not allow the command', async () => {
    const checkout = await stand.repository('review-hints');
    const id = await checkout.propose('feature/1-open', { 'README.md': 'open\n' });
    await checkout.json(['review', 'requeue', id]);
    const requeued = await expectRefusal(checkout, ['review', 'requeue', id]);
    expect(requeued.code).toBe('REVIEW_NOT_MERGING');
    expect(await type(checkout, requeued)).toContain('"READY"');
    await checkout.json(['review', 'close', id]);
    const closed = await expectRefusal(checkout, ['review', 'wait', id]);
    expect(closed.code).toBe('ENDED_ELSEWHERE');
    expect(await type(checkout, closed)).toContain('"CLOSED"');
    expect(await type(checkout, await expectRefusal(checkout, ['review', 'verify', id]))).toContain(
      '"CLOSED"',
    );
    expect(await type(checkout, await expectRefusal(checkout, ['review', 'show', 'abcdef']))).toContain(
      '"CLOSED"',
    );
  });

  it('for a gate by hand: from the wrong checkout to the merge that is on the target', async () => {
    const checkout = await stand.repository('gate-hints', 'exit 0');
    const id = await checkout.propose('feature/1-part', { 'part.txt': 'part\n' });
    const wrong = await expectRefusal(checkout, ['review', 'record-build', id, '--gate']);
    expect(wrong.code).toBe('NOT_THE_MERGE');
    await type(checkout, wrong);
    const ungated = await expectRefusal(checkout, ['exec', 'push', '--target-branch', 'main']);
    expect(ungated.code).toBe('NOT_GATED');
    await type(checkout, ungated);
    const { buildId } = await checkout.json<{ buildId: string }>(['review', 'record-build', id, '--gate']);
    const report = ['review', 'report-merged', id, '--build-id', buildId.slice(-8)];
    const early = await expectRefusal(checkout, report);
    expect(early.code).toBe('MERGE_NOT_VERIFIED');
    await type(checkout, early);
    expect(await checkout.json(report)).toMatchObject({ status: 'MERGED' });
  });

  it('for a checkout that is on another commit, or has changes', async () => {
    const checkout = await stand.repository('checkout-hints');
    const id = await checkout.propose('feature/1-part', { 'part.txt': 'part\n' });
    const record = ['review', 'record-build', id, '--version', '1.0.0'];
    await type(checkout, await expectRefusal(checkout, record));
    await checkout.commit({ 'part.txt': 'more\n' }, 'More');
    await type(checkout, await expectRefusal(checkout, record));
    expect(await checkout.json(record)).toMatchObject({ successful: true });
    await writeFile(join(checkout.folder, 'part.txt'), 'changed\n');
    const gate = ['exec', 'gate-merge', '--source', 'feature/1-part', '--target-branch', 'main'];
    const dirty = await expectRefusal(checkout, gate);
    expect(dirty.code).toBe('DIRTY_TREE');
    await type(checkout, dirty);
    expect((await checkout.plat(gate)).code).toBe(0);
  });
});
