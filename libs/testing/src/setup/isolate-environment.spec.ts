import { execFileSync } from 'node:child_process';
import { variablesOf } from '../starter/test-environment';

const of = (own: Record<string, string>) => variablesOf(own, '/home/test');

describe('the environment of a test run', () => {
  it.each([
    'HTTP_PROXY',
    'https_proxy',
    'NODE_OPTIONS',
    'GIT_DIR',
    'GIT_CONFIG_GLOBAL',
    'GIT_AUTHOR_NAME',
    'GH_TOKEN',
    'KUBECONFIG',
    'DOCKER_CONFIG',
    'XDG_CONFIG_HOME',
    'PLAT_TENANT',
    'DATABASE_URL',
    'LC_CTYPE',
  ])('has no %s of the person', (name) => {
    expect(of({ [name]: 'x' })).not.toHaveProperty(name);
  });

  it('has a home, a locale and a time zone of its own', () => {
    const own = { HOME: '/home/ann', LC_ALL: 'tr_TR.UTF-8', LANG: 'C', TZ: 'Pacific/Chatham' };
    expect(of(own)).toMatchObject({ HOME: '/home/test', LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8', TZ: 'UTC' });
  });

  it('keeps what names the run and its peers', () => {
    const run = {
      PATH: '/bin',
      PLAT_PEERS: '{}',
      PLAT_TEST_DATABASE_URL: 'x',
      JEST_WORKER_ID: '1',
      LEDGER_ROUNDS: '5',
    };
    expect(of(run)).toMatchObject(run);
  });

  it('is the one that this test runs in, and its git has an identity that no person gave', () => {
    const ident = execFileSync('git', ['var', 'GIT_COMMITTER_IDENT'], { encoding: 'utf8' });
    expect(ident).toMatch(/^Test <test@example\.com> /);
    expect(Object.keys(process.env).filter((name) => /proxy|token|NODE_OPTIONS/i.test(name))).toEqual([]);
  });
});
