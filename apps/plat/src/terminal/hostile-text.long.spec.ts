import { ended } from '../black-box/plat-process';
import type { Answer } from '../black-box/platform-double';
import { REFRESH_TOKEN, signedInMachine } from '../black-box/signed-in';
import { hideInOutput, withoutHidden } from './hidden-secrets';
import { printableJson, printableOutput } from './printable';
import { style, withStyles } from './style';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
/** A title, a colour, a cleared screen in C1, a bell, DEL, and characters that reverse the direction of text. */
const EVIL = '\u001b]0;pwned\u0007\u001b[31mRED\u009b2J\u0085\u007f\u202eRTL\u2066\u200f\r\u0000x\u2028';
const OBEYED = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
const TOKEN = 'access-SECRET-1';

const ONTO = ['--target-branch=main', '--any-repository'];
const COMMANDS = [
  ['review', 'list'],
  ['review', 'show', ID],
  ['review', 'why', ID],
  ['review', 'builds', ID],
  ['review', 'comments', ID],
  ['review', 'close', ID],
  ['review', 'queue', 'list', '--any-repository'],
  ['review', 'queue', 'advance', ...ONTO],
  ['gate', 'list'],
  ['audit', 'list'],
  ['cloud', 'status'],
  ['admin', 'user', 'list'],
  ['api', 'GET', '/v1/reviews'],
  ['doctor'],
];

describe('text from a platform', () => {
  /** Runs the commands against one answer, for a person and with --json. */
  async function outputs(
    answer: Answer,
    commands = COMMANDS,
    env: Record<string, string> = {},
  ): Promise<string[]> {
    const { machine, platform, dispose } = await signedInMachine({ accessToken: TOKEN });
    platform.answerAll(answer);
    const said: string[] = [];
    for (const how of [[], ['--json']]) {
      for (const command of commands) {
        // Not as Machine.plat does, whose variables say that no person reads the output.
        const child = await machine.start([...command, ...how], {
          env: { PLAT_FORCE_TTY: '1', FORCE_COLOR: '0', ...env },
        });
        const { stdout, stderr } = await ended(child);
        said.push(stdout, stderr);
      }
    }
    await dispose();
    return said;
  }
  const refusal = (text: string): Answer => ({
    status: 409,
    body: {
      code: `EVIL${text}`,
      message: `No.${text}`,
      details: { name: text, sourceBranch: text, reviewId: text, list: [text], next: text },
    },
  });

  it('is printed without any character that a terminal obeys, in a refusal too', async () => {
    const said = await outputs(refusal(EVIL));
    expect(said.filter((text) => OBEYED.test(text))).toEqual([]);
    expect(said.filter((text) => text.includes('RED')).length).toBeGreaterThanOrEqual(
      2 * COMMANDS.length - 2,
    );
  });

  it('has no colour but that of the client', async () => {
    const [, stderr = ''] = await outputs(refusal('\u001b[32mgreen'), COMMANDS.slice(0, 1), {
      FORCE_COLOR: '1',
    });
    expect(stderr).toContain('\u001b[31merror\u001b[39m EVIL [32mgreen: No. [32mgreen');
  });

  it('never has a token that was sent, wherever the platform repeats it', async () => {
    const said = await outputs(refusal(` for ${TOKEN} and ?t=${encodeURIComponent(TOKEN)}`));
    expect(said.filter((text) => text.includes(TOKEN))).toEqual([]);
    expect(said.filter((text) => text.includes('for *** and')).length).toBeGreaterThan(COMMANDS.length);
  });

  it('never has the refresh token, in the words of an identity provider', async () => {
    const { machine, platform, dispose } = await signedInMachine({ expiresAt: new Date(0).toISOString() });
    const { url } = platform;
    platform.answer('GET /.well-known/openid-configuration', {
      body: { issuer: url, token_endpoint: `${url}/token` },
    });
    platform.answer('POST /token', {
      status: 400,
      body: { error: 'invalid_request', error_description: `bad ${REFRESH_TOKEN}` },
    });
    for (const how of [[], ['--json'], ['--debug']]) {
      const { stdout, stderr } = await machine.plat(['cloud', 'status', ...how]);
      expect(stdout + stderr).toContain('bad ***');
      expect(stdout + stderr).not.toContain(REFRESH_TOKEN);
    }
    await dispose();
  });
});

describe('what is printed', () => {
  it('keeps lines and columns, and has the same value as JSON', () => {
    expect(printableOutput('a\tb\r\nc\u009bd\n')).toBe('a\tb\nc d\n');
    const value = { [EVIL]: [EVIL, 'ü限流'] };
    expect(printableJson(value)).not.toMatch(OBEYED);
    expect(JSON.parse(printableJson(value))).toEqual(value);
    expect(printableJson(undefined)).toBe('null');
  });

  it('has the colours of the client, which no text can forge', () => {
    expect(withStyles(printableOutput(`${style(true).red('a')}\u001b[31mb`))).toBe(
      '\u001b[31ma\u001b[39m [31mb',
    );
    expect(style(false).red('a')).toBe('a');
  });

  it('has *** for each hidden text, in the forms of an address and of JSON as well', () => {
    const secret = 'se/cr+et"=';
    expect(hideInOutput(secret)).toBe(secret);
    expect(withoutHidden(`${secret} ?t=${encodeURIComponent(secret)} ${JSON.stringify([secret])}`)).toBe(
      '*** ?t=*** ["***"]',
    );
    hideInOutput('short');
    expect(withoutHidden('short')).toBe('short');
  });

  it('keeps hiding the newest of many tokens', () => {
    for (let at = 0; at < 500; at += 1) hideInOutput(`token-number-${at}`);
    expect(withoutHidden('token-number-499 token-number-0')).toBe('*** token-number-0');
  });
});
