/**
 * @peers in-toto
 * @paths docs/proof.md libs/contracts apps/reviews/src/merge-receipts apps/plat/src/attestations apps/plat/src/receipts
 */
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { peer, runJudge } from '@plat/testing';
import { type Checkout, DriveStand } from './drive-stand';

jest.setTimeout(120_000);

const RECEIPT = 'urn:plat:merge-receipt:1';
const SUMMARY = 'https://slsa.dev/verification_summary/v1';
const OTHER_COMMIT = 'b'.repeat(40);
const SOUND = { cosign: 'sound', judge: 'sound' };

/** The lines of a block of the page about proofs, as a person copies them. */
function blockOf(name: string): string {
  const text = readFileSync(join(workspaceRoot(), 'docs', 'proof.md'), 'utf8');
  const block = new RegExp(`^\`\`\`sh ${name}\\n([^]*?)^\`\`\``, 'm').exec(text)?.[1];
  if (block === undefined) throw new Error(`docs/proof.md has no block ${name}`);
  return block;
}

interface Envelope {
  payloadType: string;
  payload: string;
  signatures: { sig: string }[];
}

describe('the attestations of a landing', () => {
  let stand: DriveStand;
  let checkout: Checkout;
  let commit: string;
  let source: string;
  beforeAll(async () => {
    stand = await DriveStand.set();
    checkout = await stand.repository('attested');
    const review = await checkout.propose('feature/1', { 'README.md': 'landed\n' });
    const drive = ['drive', '--target-branch', 'main', '--gate-command', 'true'];
    expect(await checkout.plat(drive)).toMatchObject({ code: 0 });
    commit = await checkout.git('rev-parse', 'origin/main');
    source = await mkdtemp(join(stand.home, 'attested-'));
    const made = `cd '${checkout.folder}' && REVIEW=${review}\n${blockOf('attest')}mv *.json '${source}'\n`;
    expect(await stand.type(`set -e\n${made}`, checkout.folder)).toMatchObject({ code: 0 });
  });
  afterAll(() => stand.strike());

  interface Judged {
    /** File of the envelope; default the receipt's. */
    file?: string;
    type?: string;
    about?: string;
    change?: (envelope: Envelope) => Envelope;
    /** Changes what is published as the keys of receipts. */
    keys?: (text: string) => string;
  }

  /** Judges an envelope by the commands of the page, without the platform. @returns each: sound, or why not */
  async function judge(given: Judged = {}): Promise<{ cosign: string; judge: string }> {
    const { file = 'landing.json', type = RECEIPT, about = commit, change, keys = (text) => text } = given;
    const folder = await mkdtemp(join(stand.home, 'judged-'));
    await cp(source, folder, { recursive: true });
    const envelope = JSON.parse(await readFile(join(source, file), 'utf8')) as Envelope;
    const text = JSON.stringify(change?.(envelope) ?? envelope);
    await writeFile(join(folder, 'landing.json'), text);
    await writeFile(join(folder, 'keys.json'), keys(await readFile(join(source, 'keys.json'), 'utf8')));
    const set = `set -e\nPATH='${dirname(peer('cosign'))}':$PATH\nCOMMIT=${about}\n`;
    const lines = blockOf('cosign').replaceAll(RECEIPT, type);
    const cosign = await stand.type(`${set}${lines}`, folder);
    const library = await runJudge(peer('attestation-judge'), [join(folder, 'receipts.pem'), about], text);
    const isTyped = library.stdout.trim() === type;
    return {
      cosign: cosign.code === 0 && cosign.stderr.includes('Verified OK') ? 'sound' : cosign.stderr,
      judge: library.code === 0 && isTyped ? 'sound' : `${library.stdout}${library.stderr}`,
    };
  }

  it('are accepted by cosign and by the Go libraries of in-toto, receipt and summary', async () => {
    expect(await judge()).toEqual(SOUND);
    expect(await judge({ file: 'summary.json', type: SUMMARY })).toEqual(SOUND);
  });

  it('are refused by both for another commit', async () => {
    const { cosign, judge: library } = await judge({ about: OTHER_COMMIT });
    expect(cosign).toContain('does not match any digest in statement');
    expect(library).toContain(`no subject is the commit ${OTHER_COMMIT}`);
  });

  it('are refused by both with a payload that was edited', async () => {
    const edit = (payload: string) => Buffer.from(payload, 'base64').toString().replace('EXACT', 'exact');
    const change = (envelope: Envelope) => ({
      ...envelope,
      payload: Buffer.from(edit(envelope.payload)).toString('base64'),
    });
    expect(change(JSON.parse(await readFile(join(source, 'landing.json'), 'utf8')) as Envelope)).not.toEqual(
      JSON.parse(await readFile(join(source, 'landing.json'), 'utf8')),
    );
    const { cosign, judge: library } = await judge({ change });
    expect([cosign, library]).toEqual([
      expect.stringContaining('could not verify envelope'),
      expect.stringContaining('accepted signatures do not match threshold'),
    ]);
  });

  it('are refused by both by another key', async () => {
    const other = Buffer.from('another key of thirty-two bytes.').toString('base64url');
    const keys = (text: string) => text.replace(/"x": ?"[^"]+"/, `"x":"${other}"`);
    const { cosign, judge: library } = await judge({ keys });
    expect([cosign, library]).toEqual([
      expect.stringContaining('could not verify envelope'),
      expect.stringContaining('accepted signatures do not match threshold'),
    ]);
  });

  it('are refused as a summary if they are a receipt', async () => {
    const { cosign, judge: library } = await judge({ type: SUMMARY });
    expect(cosign).toContain(`invalid predicate type, expected ${SUMMARY} got ${RECEIPT}`);
    expect(library).toBe(`${RECEIPT}\n`);
  });
});
