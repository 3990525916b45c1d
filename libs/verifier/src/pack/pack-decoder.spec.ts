import { deflateSync } from 'node:zlib';
import {
  copyInstruction,
  craftDelta,
  type CraftedEntry,
  craftEntry,
  craftPack,
  git,
  GitRemote,
  insertInstruction,
  objectId,
} from '@plat/testing';
import { Budget } from '../budget';
import { defaultVerifierCaps, type VerifierCaps } from '../config';
import type { DecodedPack } from './decoded-pack';
import { PackDecoder } from './pack-decoder';

const ID = 'a'.repeat(40);
const PARTS_MAX = 5_000;
const COMMIT = `tree ${ID}\nparent ${'b'.repeat(40)}\nauthor A <a@b> 1 +0000\n\nmessage`;
const blob = (content: string): CraftedEntry => ({ type: 'blob', content });
/** Decodes a pack that arrives in parts of `partBytes`. */
function decode(pack: Buffer, caps: Partial<VerifierCaps> = {}, partBytes = pack.length): DecodedPack {
  const decoder = new PackDecoder(new Budget({ ...defaultVerifierCaps, ...caps }));
  for (let start = 0; start < pack.length; start += partBytes) {
    decoder.append(pack.subarray(start, start + partBytes));
  }
  return decoder.end();
}
const failing = (reason: string, message: string) => expect.objectContaining({ reason, message });
/** Expects the same failure for every part size. */
const expectFailure = (pack: Buffer, reason: string, message: string, caps?: Partial<VerifierCaps>) => {
  for (const partBytes of [pack.length, Math.ceil(pack.length / 7), 1]) {
    if (pack.length > PARTS_MAX * partBytes) continue;
    let thrown: unknown;
    try {
      decode(pack, caps, partBytes);
    } catch (failure) {
      thrown = failure;
    }
    expect(thrown).toEqual(failing(reason, message));
  }
};

describe('PackDecoder', () => {
  it('refuses more parents than a verification may read, even if few commits have them', () => {
    const parents = `parent ${'b'.repeat(40)}\n`.repeat(300);
    const merge = (number: number): CraftedEntry => ({
      type: 'commit',
      content: `tree ${ID}\n${parents}author A <a@b> ${number} +0000\n\nmessage`,
    });
    const pack = craftPack([merge(1), merge(2)]);
    expect(decode(pack, { parents: 600 })).toBeDefined();
    expectFailure(pack, 'remote_too_large', 'too many parents', { parents: 599 });
  });

  it("returns every object of a real pack, including deltas, under git's id", async () => {
    const remote = await GitRemote.create();
    for (let index = 0; index < 12; index += 1) {
      const lines = Array.from({ length: 400 }, (_, number) => `${number} ${number % (index + 2)}`);
      await remote.commit({
        [`folder/file${index % 3}`]: lines.join('\n'),
        binary: Buffer.alloc(70_000, index),
      });
    }
    await remote.git('repack', '-adfq', '--depth=20');
    const names = (await remote.git('rev-list', '--objects', '--all'))
      .split('\n')
      .map((row) => row.slice(0, 40));
    await remote.git('pack-objects', '--all', '--delta-base-offset', '--quiet', '../by-offset');
    await remote.git('pack-objects', '--all', '--quiet', '../by-id');
    const { readFile, readdir } = await import('node:fs/promises');
    const files = (await readdir(remote.projectRoot)).filter((name) => name.endsWith('.pack'));
    expect(files).toHaveLength(2);
    for (const file of files) {
      const bytes = await readFile(`${remote.projectRoot}/${file}`);
      const pack = decode(bytes, {}, Math.ceil(bytes.length / 50));
      for (const id of names) {
        const type = await git(remote.worktree, ['cat-file', '-t', id]);
        expect(pack.typeOf(id)).toBe(type);
        if (type !== 'commit') expect(objectId(type as 'blob', pack.read(id) as Buffer)).toBe(id);
      }
      expect(pack.commits.size).toBe(12);
    }
    await remote.remove();
  });

  it('reads an empty pack, an empty object and a commit', () => {
    expect(decode(craftPack([])).commits.size).toBe(0);
    const pack = decode(craftPack([blob(''), { type: 'commit', content: COMMIT }]));
    expect(pack.read(objectId('blob', ''))?.length).toBe(0);
    expect([...pack.commits.values()]).toEqual([{ treeId: ID, parentIds: ['b'.repeat(40)] }]);
    expect(pack.read(ID)).toBeUndefined();
  });

  describe('refuses as unreadable', () => {
    const cases: [string, Buffer, string][] = [
      ['nothing', Buffer.alloc(0), 'pack cut'],
      ['garbage', Buffer.from('<html>'.repeat(20)), 'no pack'],
      ['an unknown version', craftPack([], { version: 4 }), 'unknown version of pack'],
      ['a wrong checksum', craftPack([blob('a')], { checksum: Buffer.alloc(20) }), 'wrong pack checksum'],
      [
        'bytes after the last object',
        craftPack([blob('a')], { trailing: Buffer.from('x') }),
        'bytes after the last object',
      ],
      [
        'more objects than there are',
        craftPack([blob('a')], { declaredCount: 2 }),
        'pack with fewer objects than declared',
      ],
      [
        'fewer objects than there are',
        craftPack([blob('a'), blob('b')], { declaredCount: 1 }),
        'bytes after the last object',
      ],
      ['a size that is too small', craftPack([{ ...blob('abc'), declaredSize: 2 }]), 'malformed object data'],
      [
        'a size that is too large',
        craftPack([{ ...blob('abc'), declaredSize: 4 }]),
        'object of another size than declared',
      ],
      [
        'an unknown kind of object',
        craftPack([], { declaredCount: 1, trailing: Buffer.from([0x50, 0]) }),
        'unknown kind of object',
      ],
      ['a truncated stream', truncated(), 'malformed object data'],
      [
        'a delta that is its own base',
        craftPack([{ type: 'offset-delta', back: 0, delta: craftDelta(1, 1) }]),
        'delta base outside of the pack',
      ],
      [
        'a delta base before the pack',
        craftPack([{ type: 'offset-delta', back: 500, delta: craftDelta(1, 1) }]),
        'delta base outside of the pack',
      ],
      [
        'a delta base inside another object',
        craftPack([blob('a'), { type: 'offset-delta', back: 3, delta: craftDelta(1, 1) }]),
        'delta without its base',
      ],
      [
        'a delta on an object that is not sent',
        craftPack([{ type: 'id-delta', baseId: ID, delta: craftDelta(1, 1) }]),
        'delta without its base',
      ],
      ['a delta that says nothing', onBlob(Buffer.alloc(0)), 'delta cut'],
      [
        'a delta for another base',
        onBlob(craftDelta(9, 1, insertInstruction('a'))),
        'delta for another base',
      ],
      ['a copy outside of the base', onBlob(craftDelta(4, 4, copyInstruction(2, 4))), 'delta out of range'],
      ['a copy outside of the target', onBlob(craftDelta(4, 2, copyInstruction(0, 4))), 'delta out of range'],
      [
        'an insert outside of the target',
        onBlob(craftDelta(4, 1, insertInstruction('ab'))),
        'delta out of range',
      ],
      ['an insert that is cut', onBlob(craftDelta(4, 9, Buffer.from([9, 1]))), 'delta out of range'],
      ['a copy that is cut', onBlob(craftDelta(4, 9, Buffer.from([0xff, 1]))), 'delta cut'],
      [
        'a delta that yields less than it says',
        onBlob(craftDelta(4, 9, copyInstruction(0, 4))),
        'delta of another size than declared',
      ],
      ['the reserved instruction', onBlob(craftDelta(4, 4, Buffer.from([0]))), 'reserved delta instruction'],
      ['an endless delta size', onBlob(Buffer.alloc(20, 0xff)), 'delta size out of range'],
      [
        'an endless object size',
        craftPack([], { declaredCount: 1, trailing: Buffer.alloc(30, 0xff) }),
        'object size out of range',
      ],
      [
        'an endless delta offset',
        craftPack([], {
          declaredCount: 1,
          trailing: Buffer.concat([Buffer.from([0x60]), Buffer.alloc(30, 0xff)]),
        }),
        'delta base out of range',
      ],
      [
        'an object head without data',
        craftPack([], { declaredCount: 1, trailing: Buffer.from([0x70, 1]) }),
        'malformed object data',
      ],
    ];
    it.each(cases)('%s', (_, pack, message) => expectFailure(pack, 'remote_unreadable', message));

    it.each([
      `parent ${ID}\nauthor A`,
      `tree ../../x\nauthor A`,
      `tree ${ID}\nparent ../../x\nauthor A`,
      `tree ${ID}\nparent ${ID}x\nauthor A`,
      `tree ${ID.toUpperCase()}\nauthor A`,
      `tree ${ID}\ntree ${ID}\nauthor A`,
      `tree ${ID}`,
      '',
    ])('a commit that reads %j', (content) =>
      expectFailure(craftPack([{ type: 'commit', content }]), 'remote_unreadable', 'malformed commit'),
    );
  });

  it('reads no parent below the head of a commit', () => {
    const content = `tree ${ID}\nauthor A <a@b> 1 +0000\nparent ${ID}\n\nparent ${ID}\n`;
    expect([...decode(craftPack([{ type: 'commit', content }])).commits.values()]).toEqual([
      { treeId: ID, parentIds: [] },
    ]);
  });

  it('reads a copy without a size as one of 64 KiB', () => {
    const content = 'x'.repeat(0x10000);
    const copyAll: CraftedEntry = {
      type: 'id-delta',
      baseId: objectId('blob', content),
      delta: craftDelta(0x10000, 0x10001, Buffer.from([0x80]), insertInstruction('!')),
    };
    const pack = decode(craftPack([blob(content), copyAll]));
    expect(pack.read(objectId('blob', `${content}!`))?.toString()).toBe(`${content}!`);
  });

  it('reads an object that is sent twice, the second time as a delta on itself', () => {
    const same = craftDelta(4, 4, copyInstruction(0, 4));
    const delta: CraftedEntry = { type: 'id-delta', baseId: objectId('blob', 'base'), delta: same };
    const above = craftEntry(delta).length;
    const top: CraftedEntry = {
      type: 'offset-delta',
      back: above,
      delta: craftDelta(4, 5, copyInstruction(0, 4), insertInstruction('!')),
    };
    for (const entries of [
      [blob('base'), delta, top],
      [delta, top, blob('base')],
    ]) {
      const pack = decode(craftPack(entries));
      expect(pack.read(objectId('blob', 'base'))?.toString()).toBe('base');
      expect(pack.read(objectId('blob', 'base!'))?.toString()).toBe('base!');
    }
  });

  describe('refuses as too large, before it allocates', () => {
    it('2^32-1 objects', () =>
      expectFailure(craftPack([], { declaredCount: 0xffffffff }), 'remote_too_large', 'too many objects'));

    it('an object that declares more than its cap', () =>
      expectFailure(
        craftPack([{ ...blob('a'), declaredSize: 2 ** 40 }]),
        'remote_too_large',
        'an object is too large',
      ));

    it('many objects that together are too large', () => {
      const zeros = blob('\0'.repeat(1_000_000));
      expectFailure(craftPack([zeros, zeros, zeros]), 'remote_too_large', 'too many bytes inflated', {
        inflatedBytes: 2_500_000,
      });
    });

    it('a delta bomb: 16 KB that would become 5.8 GiB', () => {
      const size = 16 * 1024 * 1024;
      const base = Buffer.alloc(0xffffff);
      const copy = craftDelta(base.length, size, copyInstruction(0, 0xffffff), insertInstruction('x'));
      const entries: CraftedEntry[] = [{ type: 'blob', content: base }];
      const baseId = objectId('blob', base);
      for (let index = 0; index < 350; index += 1) entries.push({ type: 'id-delta', baseId, delta: copy });
      expectFailure(craftPack(entries), 'remote_too_large', 'too many bytes inflated');
    });

    it('deltas on top of each other beyond the cap', () => {
      const entries: CraftedEntry[] = [blob('0')];
      let back = craftEntry(blob('0')).length;
      for (let depth = 1; depth <= 5; depth += 1) {
        const entry: CraftedEntry = {
          type: 'offset-delta',
          back,
          delta: craftDelta(1, 1, insertInstruction(String(depth))),
        };
        entries.push(entry);
        back = craftEntry(entry).length;
      }
      expect(decode(craftPack(entries), { deltaDepth: 5 }).read(objectId('blob', '5'))?.toString()).toBe('5');
      expectFailure(craftPack(entries), 'remote_too_large', 'too many deltas on top of each other', {
        deltaDepth: 4,
      });
    });

    it('deltas that need too many objects at once', () => {
      const size = 1_000;
      const entries: CraftedEntry[] = [blob('0'.repeat(size))];
      let baseId = objectId('blob', '0'.repeat(size));
      for (let index = 1; index < 8; index += 1) {
        const content = String(index).repeat(size);
        const leaf = craftDelta(size, 1, insertInstruction(String(index)));
        const inserts = Array.from({ length: size / 100 }, () =>
          insertInstruction(String(index).repeat(100)),
        );
        entries.push({ type: 'id-delta', baseId, delta: leaf }, { type: 'id-delta', baseId, delta: leaf });
        entries.push({ type: 'id-delta', baseId, delta: craftDelta(size, size, ...inserts) });
        baseId = objectId('blob', content);
      }
      expectFailure(craftPack(entries), 'remote_too_large', 'deltas need too much memory', {
        objectBytes: 1_100,
      });
    });
  });
});

function onBlob(delta: Buffer): Buffer {
  return craftPack([blob('base'), { type: 'id-delta', baseId: objectId('blob', 'base'), delta }]);
}

function truncated(): Buffer {
  const whole = Buffer.concat([Buffer.from([0x3a]), deflateSync(Buffer.from('0123456789'))]);
  return craftPack([], { declaredCount: 1, trailing: whole.subarray(0, 9) });
}
