import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Malformed } from './malformed';
import { openNote, parseNote, SignatureRefused, signNote } from './note';
import { formatVerifierKey, parseVerifierKey, verifierKeyOf } from './verifier-key';

/** The examples of C2SP signed-note. */
const EXAMPLE_KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const EXAMPLE_NOTE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;
const signer = (name: string, privateKey = newKey()) => ({ name, privateKey });
const knownOf = ({ name, privateKey }: ReturnType<typeof signer>) => verifierKeyOf(name, privateKey);

const alice = signer('example.com/alice');
const bob = signer('example.com/bob');
const TEXT = 'one\n\ntwo “drei” \u{1f989}\n';

describe('a signed note', () => {
  it('of the specification is read and verified by the key of the specification', () => {
    const key = parseVerifierKey(EXAMPLE_KEY);
    const note = parseNote(Buffer.from(EXAMPLE_NOTE));
    expect(note.text).toBe('This is an example message.\n');
    expect(openNote(note, [key])).toEqual([key]);
    expect(formatVerifierKey(key)).toBe(EXAMPLE_KEY);
  });

  it('is verified by each of its known keys, in the order of its signatures', () => {
    const note = parseNote(signNote(TEXT, [alice, signer('example.com/eve'), bob]));
    expect(note.text).toBe(TEXT);
    expect(openNote(note, [knownOf(bob), knownOf(alice)])).toEqual([knownOf(alice), knownOf(bob)]);
    expect(openNote(note, [knownOf(bob)])).toEqual([knownOf(bob)]);
  });

  it('names a key once that has signed twice', () => {
    expect(openNote(parseNote(signNote(TEXT, [alice, alice])), [knownOf(alice)])).toHaveLength(1);
  });

  it('is refused without a signature by a known key', () => {
    const note = parseNote(signNote(TEXT, [alice]));
    expect(() => openNote(note, [])).toThrow(SignatureRefused);
    expect(() => openNote(note, [knownOf(bob)])).toThrow(
      'None of the keys that are known has signed the note.',
    );
  });

  it('is not verified by the same key with another name, nor by another key with the same name', () => {
    const note = parseNote(signNote(TEXT, [alice]));
    const renamed = verifierKeyOf('example.com/else', alice.privateKey);
    expect(() => openNote(note, [renamed])).toThrow(SignatureRefused);
    expect(() => openNote(note, [verifierKeyOf(alice.name, newKey())])).toThrow(SignatureRefused);
  });

  it('is refused for a false signature by a known key, though another known key has signed', () => {
    const { text, signatures } = parseNote(signNote(TEXT, [bob, alice]));
    const [ofBob, ofAlice] = signatures;
    const forged = { ...ofBob!, signature: ofAlice!.signature };
    const known = [knownOf(alice), knownOf(bob)];
    expect(() => openNote({ text, signatures: [ofAlice!, forged] }, known)).toThrow(
      /^The signature by example\.com\/bob \(key [0-9a-f]{8}\) is false\.$/,
    );
    expect(() => openNote({ text: `${text}more\n`, signatures }, known)).toThrow(SignatureRefused);
  });

  it('is refused for a second signature by a known key that is false', () => {
    const { text, signatures } = parseNote(signNote(TEXT, [alice]));
    const twice = [...signatures, { ...signatures[0]!, signature: Buffer.alloc(64) }];
    expect(() => openNote({ text, signatures: twice }, [knownOf(alice)])).toThrow(SignatureRefused);
  });

  it('may have a signature of any length by a key that is not known', () => {
    const foreign = `— example.com/witness ${Buffer.alloc(2424, 7).toString('base64')}\n`;
    const note = parseNote(signNote(TEXT, [alice]) + foreign);
    expect(note.signatures).toHaveLength(2);
    expect(openNote(note, [knownOf(alice)])).toHaveLength(1);
  });

  it('has the last blank line before its signatures', () => {
    expect(parseNote(signNote('\n', [alice])).text).toBe('\n');
    expect(parseNote(signNote('a\n\n\n', [alice])).text).toBe('a\n\n\n');
  });
});

describe('what is no signed note', () => {
  const good = signNote('text\n', [alice]);
  const line = good.split('\n')[2]!;
  const [, name, base64] = line.split(' ') as [string, string, string];

  it.each([
    ['nothing', ''],
    ['a text alone', 'text\n'],
    ['no blank line', good.replace('\n\n', '\n')],
    ['no newline at the end', good.trimEnd()],
    ['a blank line at the end', `${good}\n`],
    ['no signature', 'text\n\n'],
    ['a carriage return', good.replaceAll('\n', '\r\n')],
    ['a tab', good.replace('text', 'te\txt')],
    ['a zero byte', good.replace('text', 'te\0xt')],
    ['a hyphen for the dash', good.replace('—', '-')],
    ['two spaces', good.replace('— ', '—  ')],
    ['no space', good.replace('— ', '—')],
    ['a space at the end', good.replace(/\n$/, ' \n')],
    ['a name with a plus', good.replace(name, 'a+b')],
    ['a name with a no-break space', good.replace(name, 'a\u00a0b')],
    ['no name', good.replace(` ${name}`, '')],
    ['base64 without its padding', good.replace(base64, base64.replace(/=*$/, '').slice(0, -1))],
    ['base64 of URLs', good.replace(base64, `${base64.slice(0, 88)}-_-_`)],
    ['base64 with bits after its end', good.replace(base64, 'AAAAAAB=')],
    ['a signature of the key’s id alone', good.replace(base64, 'AAAAAA==')],
    ['another line among its signatures', `${good}signed, Alice\n`],
    ['half of a surrogate pair', good.replace('text', 'te\ud800xt')],
    ['101 signatures', `text\n\n${`${line}\n`.repeat(101)}`],
    ['more than a million bytes', `${'x'.repeat(1_000_000)}\n\n${line}\n`],
  ])('%s', (_what, text) => {
    expect(() => parseNote(text)).toThrow(Malformed);
  });

  it('bytes that are not UTF-8', () => {
    const bytes = Buffer.from(good);
    bytes[0] = 0xff;
    expect(() => parseNote(bytes)).toThrow('The note is not UTF-8.');
  });

  it('a mark of the byte order is a part of the text', () => {
    expect(parseNote(Buffer.from(`\ufeff${good}`)).text).toBe('\ufefftext\n');
  });
});

describe('signing', () => {
  it.each(['', 'no newline', 'a\tb\n', 'a\r\n', '\ud800\n'])('refuses the text %j', (text) => {
    expect(() => signNote(text, [alice])).toThrow(RangeError);
  });

  it.each(['', 'a b', 'a+b', 'a\nb', 'a\u2003b'])('refuses the name %j', (name) => {
    expect(() => signNote('text\n', [signer(name)])).toThrow(RangeError);
  });

  it('refuses another key than Ed25519', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(() => signNote('text\n', [signer('a', privateKey)])).toThrow('The key is no Ed25519 key.');
  });

  it('gives the same note each time', () => {
    expect(signNote(TEXT, [alice, bob])).toBe(signNote(TEXT, [alice, bob]));
  });
});
