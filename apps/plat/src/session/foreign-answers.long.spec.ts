import type { Answer } from '../black-box/platform-double';
import { signedInMachine } from '../black-box/signed-in';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const COMMIT = 'a'.repeat(40);
const REMOTE = 'https://git.example.com/acme/app';
const ONTO = ['--target-branch=main', `--repository=${REMOTE}`];

const PAGE: Answer = { status: 200, text: '<html>Sign in to the network</html>' };
const JSON_PAGE: Answer = { status: 200, text: '{"login":"https://portal.example.com"}' };
const REDIRECT: Answer = { status: 302, text: '' };
const BAD_GATEWAY: Answer = { status: 502, text: '<html>Bad gateway</html>' };

/** Every command that calls the platform. */
const COMMANDS: string[][] = [
  ['api', 'GET', '/v1/reviews'],
  ['cloud', 'status'],
  ['cloud', 'users', '--refresh'],
  ['exec', 'gate-run', 'report', ID, '--verdict=PASSED'],
  [
    'exec',
    'gate-run',
    'start',
    '--source-branch=s',
    '--target-branch=main',
    `--source-commit=${COMMIT}`,
    `--merge-commit=${COMMIT}`,
  ],
  ['gate', 'list'],
  ['gate', 'show', ID],
  ['review', 'close', ID],
  ['review', 'comment', ID, '--body=b', '--file=f', '--line=1', `--commit-id=${COMMIT}`],
  ['review', 'comments', ID],
  ['review', 'create', '--name=n', '--source-branch=s', ...ONTO],
  ['review', 'list'],
  ['review', 'queue', 'advance', ...ONTO],
  ['review', 'queue', 'list', `--repository=${REMOTE}`],
  ['review', 'queue', 'override-advance', ...ONTO, '--reason=r'],
  ['review', 'record-build', ID, `--commit-id=${COMMIT}`, '--version=1.0.0'],
  ['review', 'report-merged', ID, `--remote-url=${REMOTE}`],
  ['review', 'requeue', ID],
  ['review', 'resolve', ID, ID],
  ['review', 'reviewers', 'list', ID],
  ['review', 'show', ID],
  ['review', 'verify', ID],
  ['review', 'wait', ID, '--timeout=10ms'],
];

describe("an answer that is not the platform's", () => {
  it.each<[string, Answer, string]>([
    ['a page', PAGE, 'NOT_THE_PLATFORM'],
    ['other JSON', JSON_PAGE, 'NOT_THE_PLATFORM'],
    ['a redirect', REDIRECT, 'NOT_THE_PLATFORM'],
    ['a gateway without a service', BAD_GATEWAY, 'HTTP_502'],
    ['a proxy that wants fewer calls', { status: 429, text: '' }, 'HTTP_429'],
  ])('makes every command fail: %s', async (_what, answer, code) => {
    const { machine, platform, dispose } = await signedInMachine();
    platform.answerAll(answer);
    for (const command of COMMANDS) {
      const run = await machine.plat([...command, '--json']);
      expect({ command, code: run.code, ...run.json() }).toMatchObject({ command, code, exitCode: 1 });
      expect(run.json<{ details: { next: string } }>().details.next).toMatch(/doctor|in a moment/);
    }
    await dispose();
  });
});
