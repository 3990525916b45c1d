import { SealedLog } from '@plat/testing';
import { formatCheckpoint, openCheckpoint, parseCheckpoint } from './checkpoint';
import { Malformed } from './malformed';
import { SignatureRefused, signNote } from './note';
import { parseVerifierKey, verifierKeyOf } from './verifier-key';

const ROOT = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';

describe('the text of a checkpoint', () => {
  it('is the example of C2SP tlog-checkpoint', () => {
    const text = `example.com/behind-the-sofa\n20852163\n${ROOT}\n`;
    const checkpoint = parseCheckpoint(text);
    expect(checkpoint).toEqual({
      origin: 'example.com/behind-the-sofa',
      size: 20_852_163,
      rootHash: Buffer.from(ROOT, 'base64'),
      extensions: [],
    });
    expect(formatCheckpoint(checkpoint)).toBe(text);
  });

  it('may have lines after the root', () => {
    expect(parseCheckpoint(`o\n0\n${ROOT}\none\ntwo\n`).extensions).toEqual(['one', 'two']);
  });

  it.each([
    '',
    `\n1\n${ROOT}\n`,
    `o\n1\n${ROOT}`,
    `o\n1\n${ROOT}\n\n`,
    `o\n1\n${ROOT}\none\n\ntwo\n`,
    `o\n\n${ROOT}\n`,
    `o\n01\n${ROOT}\n`,
    `o\n00\n${ROOT}\n`,
    `o\n+1\n${ROOT}\n`,
    `o\n-1\n${ROOT}\n`,
    `o\n1.0\n${ROOT}\n`,
    `o\n0x1\n${ROOT}\n`,
    `o\n1e3\n${ROOT}\n`,
    `o\n 1\n${ROOT}\n`,
    `o\n9007199254740992\n${ROOT}\n`,
    `o\n18446744073709551615\n${ROOT}\n`,
    `o\n1\n${ROOT.slice(0, -1)}\n`,
    `o\n1\n${ROOT.slice(0, -2)}J=\n`,
    `o\n1\nAAAA\n`,
    `o\n1\n\n`,
    'o\n1\n',
  ])('is not %j', (text) => {
    expect(() => parseCheckpoint(text)).toThrow(Malformed);
  });

  it('has a size of at most 2^53 - 1', () => {
    expect(parseCheckpoint(`o\n9007199254740991\n${ROOT}\n`).size).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('a signed checkpoint', () => {
  const log = new SealedLog();
  const known = [parseVerifierKey(log.verifierKey())];

  it('is opened by a key of its origin', () => {
    expect(openCheckpoint(log.checkpoint(), known)).toEqual({
      checkpoint: { origin: log.origin, size: 1, rootHash: log.root(), extensions: [] },
      signedBy: known,
    });
  });

  it('is not opened by a key of another name, though it has signed', () => {
    const text = formatCheckpoint({ origin: log.origin, size: 1, rootHash: log.root() });
    const note = signNote(text, [{ name: 'plat.example/log/other', privateKey: log.key }]);
    const other = verifierKeyOf('plat.example/log/other', log.key);
    expect(() => openCheckpoint(note, [...known, other])).toThrow(SignatureRefused);
  });

  it('is not opened once a byte of it has changed', () => {
    const note = log.checkpoint();
    for (let at = 0; at < note.length; at += 1) {
      const code = note.charCodeAt(at);
      const changed = `${note.slice(0, at)}${String.fromCharCode(code ^ 1)}${note.slice(at + 1)}`;
      expect(() => openCheckpoint(changed, known)).toThrow();
    }
  });
});
