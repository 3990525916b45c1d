import { craftPack, line, objectId, sideBand } from '@plat/testing';
import { Budget } from '../budget';
import { defaultVerifierCaps } from '../config';
import type { FetchAnswer } from './fetch-exchange';
import { readLegacyAnswer, writeLegacyRequest } from './fetch-legacy';
import { readFetchAnswer, writeFetchRequest } from './fetch-v2';
import { readTips, writeTipsRequest } from './ls-refs';

const [ID, OTHER] = ['a'.repeat(40), 'b'.repeat(40)];
const BLOB = objectId('blob', 'content');
const PACK = craftPack([{ type: 'blob', content: 'content' }]);
const budget = () => new Budget({ ...defaultVerifierCaps, packets: 10_000, refsBytes: 200 });
/** The acknowledgment, and the content that the pack has under the blob's id. */
const received = ({ acknowledged, pack }: FetchAnswer) => [acknowledged, pack?.read(BLOB)?.toString()];

async function* stream(...parts: (string | Buffer)[]) {
  for (const part of parts) yield Buffer.from(part);
}
const packed = [
  sideBand(2, Buffer.from('progress')),
  sideBand(1, PACK.subarray(0, 9)),
  sideBand(1, PACK.subarray(9)),
  '0000',
];
const unreadable = (message: string) => ({ reason: 'remote_unreadable', message });

describe('a list of tips', () => {
  const tips = (...parts: string[]) =>
    readTips(
      stream(...parts),
      ['refs/heads/a', 'refs/heads/b'],
      new Budget({ ...defaultVerifierCaps, refsBytes: 300 }),
    );

  it('is requested by full names', () => {
    const request = Buffer.concat(writeTipsRequest(['refs/heads/a'])).toString();
    expect(request).toContain('command=ls-refs\n');
    expect(request).toMatch(/0001[0-9a-f]{4}ref-prefix refs\/heads\/a\n0000$/);
  });

  it('returns the exact names alone', async () => {
    const answer = [line(`${ID} refs/heads/a\n`), line(`${OTHER} refs/heads/ab\n`), '0000'];
    expect([...(await tips(...answer))]).toEqual([['refs/heads/a', ID]]);
  });

  it('is read only until every wanted name is found', async () => {
    const answer = [line(`${ID} refs/heads/a\n`), line(`${OTHER} refs/heads/b`), 'garbage'];
    expect((await tips(...answer)).size).toBe(2);
  });

  it.each([
    ['a marker', '0001', unreadable('unexpected marker in a list of refs')],
    ['a cut', line(`${ID} refs/heads/a\n`), unreadable('list of refs cut')],
    ['no object id', line('unborn refs/heads/a\n'), unreadable('ref without an object id')],
    [
      'too many',
      line(`${ID} refs/heads/ab\n`).repeat(6),
      { reason: 'remote_too_large', message: 'too many refs' },
    ],
  ])('with %s is refused', (_, answer, failure) => expect(tips(answer)).rejects.toMatchObject(failure));
});

describe('endless empty lines', () => {
  async function* endless(start: string, empty: string) {
    yield Buffer.from(start);
    for (;;) yield Buffer.from(empty.repeat(1_000));
  }

  it.each([
    ['of a pack', `${line('packfile\n')}`, '0005\u0001'],
    ['of progress', `${line('packfile\n')}`, '0005\u0002'],
    ['before a pack', '', '0004'],
  ])('%s are not read to the end', async (_, start, empty) => {
    await expect(readFetchAnswer(endless(start, empty), budget())).rejects.toMatchObject({
      reason: start === '' ? 'remote_unreadable' : 'remote_too_large',
    });
  });

  it('of refs are not read to the end', async () => {
    await expect(readTips(endless('', '0004'), ['refs/heads/a'], budget())).rejects.toMatchObject({
      reason: 'remote_too_large',
      message: 'too many lines',
    });
  });
});

describe('a fetch over protocol v2', () => {
  const read = (...parts: (string | Buffer)[]) => readFetchAnswer(stream(...parts), budget());
  const request = { wants: [ID], haves: [OTHER], done: false };
  const written = (more: object, filter = true) =>
    Buffer.concat(writeFetchRequest({ ...request, ...more }, { version: 2, filter })).toString();

  it('requests only commits if the server can filter and the request is not `complete`', () => {
    expect(written({})).toContain('filter tree:0\n');
    expect(written({ complete: true })).not.toContain('filter');
    expect(written({}, false)).not.toContain('filter');
  });

  it('sends done and deepen on request', () => {
    expect(written({})).not.toMatch(/done|deepen/);
    expect(written({ done: true, single: true })).toMatch(/deepen 1\n.*want.*have.*done\n0000$/s);
    expect(written({ done: true, generations: 7 })).toMatch(/filter tree:0\n000ddeepen 7\n.*done\n0000$/s);
  });

  it('returns the pack after the acknowledgment', async () => {
    const head = line('acknowledgments\n') + line(`ACK ${OTHER}\n`) + line('ready\n') + '0001';
    const shallow = `${line('shallow-info\n')}${line(`shallow ${ID}\n`)}0001`;
    expect(received(await read(head, shallow, line('packfile\n'), ...packed))).toEqual([true, 'content']);
    expect(received(await read(line('packfile\n'), ...packed))).toEqual([false, 'content']);
  });

  it('returns no pack if the server found no path to the haves', async () => {
    expect(await read(`${line('acknowledgments\n')}${line('NAK\n')}0000`)).toEqual({ acknowledged: false });
    expect(await read(`${line('acknowledgments\n')}${line(`ACK ${OTHER}\n`)}0000`)).toEqual({
      acknowledged: true,
    });
  });

  it.each([
    ['nothing', [''], unreadable('answer cut')],
    ['a marker first', ['0000'], unreadable('unexpected section')],
    ['a word that names a marker', [line('flush\n')], unreadable('unexpected section')],
    ['another section', [line('wanted-refs\n')], unreadable('unexpected section')],
    ['an error', [line('ERR no')], unreadable('server reported an error')],
    [
      'an error among acknowledgments',
      [line('acknowledgments\n') + line('ERR no')],
      unreadable('server reported an error'),
    ],
    [
      'too many lines',
      [line('acknowledgments\n') + line('NAK\n').repeat(60)],
      { reason: 'remote_too_large' },
    ],
    ['a cut pack', [line('packfile\n'), sideBand(1, PACK)], unreadable('pack cut')],
    ['a marker in the pack', [line('packfile\n'), '0001'], unreadable('unexpected marker in a pack')],
    [
      'an error in the pack',
      [line('packfile\n'), sideBand(3, Buffer.from('no'))],
      unreadable('server reported an error'),
    ],
    ['an empty packet in the pack', [line('packfile\n'), '0004'], unreadable('server reported an error')],
  ])('with %s is refused', (_, answer, failure) => expect(read(...answer)).rejects.toMatchObject(failure));
});

describe('a fetch over protocol v0', () => {
  const all = new Set(['side-band-64k', 'ofs-delta', 'no-progress', 'filter', 'multi_ack']);
  const read = (...parts: (string | Buffer)[]) => readLegacyAnswer(stream(...parts), budget());
  const request = { wants: [ID, OTHER], haves: [OTHER], done: false };

  it('sends its capabilities once, and always ends with done', () => {
    const text = Buffer.concat(writeLegacyRequest(request, all)).toString();
    expect(text).toContain(`want ${ID} side-band-64k ofs-delta no-progress filter agent=`);
    expect(text).toMatch(new RegExp(`want ${OTHER}\n.*filter tree:0\n0000.*have ${OTHER}\n0009done\n$`));
    expect(Buffer.concat(writeLegacyRequest({ ...request, complete: true }, all)).toString()).not.toContain(
      'tree:0',
    );
    const few = Buffer.concat(writeLegacyRequest(request, new Set(['side-band-64k']))).toString();
    expect(few).not.toMatch(/filter|ofs-delta/);
  });

  it('requires the side band', () => {
    expect(() => writeLegacyRequest(request, new Set())).toThrow(
      expect.objectContaining(unreadable('server without side-band-64k')),
    );
  });

  it('returns the pack, whether the have is known or not', async () => {
    expect(received(await read(line('NAK\n'), ...packed))).toEqual([false, 'content']);
    expect(received(await read(line(`ACK ${OTHER}\n`), ...packed))).toEqual([true, 'content']);
  });

  it.each([
    ['nothing', '', 'answer cut'],
    ['a marker', '0000', 'answer cut'],
    ['an error', line('ERR upload-pack: not our ref'), 'server reported an error'],
  ])('with %s is refused', (_, answer, message) =>
    expect(read(answer)).rejects.toMatchObject(unreadable(message)),
  );
});
