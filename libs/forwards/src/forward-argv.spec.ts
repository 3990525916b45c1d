import { forwardArgs, isForward, matchesForward, targetsOf } from './forward-argv';

const TARGET = { namespace: 'acme-dev1', service: 'acme-ssh', localPort: 17_022, port: 17_022 };
const START = { ...TARGET, context: 'kind-plat', state: '/config/portforward/sshd/acme/dev1.json' };
const DAEMON = ['/usr/bin/node', '/opt/plat/portforward.js'];
const words = (line: string) => line.split(' ');

describe('the argv of the daemon', () => {
  it('is forward --namespace NS --service SVC --ports L:R [--context C] --state FILE. Rule H9', () => {
    expect(forwardArgs(START)).toEqual(
      words(
        `forward --namespace acme-dev1 --service acme-ssh --ports 17022:17022 --context kind-plat --state ${START.state}`,
      ),
    );
    expect(forwardArgs({ ...START, context: '' })).not.toContain('--context');
  });

  it('matches what it was started with, whatever the context and the options of node', () => {
    expect(matchesForward([...DAEMON, ...forwardArgs(START)], TARGET)).toBe(true);
    const other = forwardArgs({ ...START, context: 'other', state: '/elsewhere.json' });
    expect(matchesForward(['node', '--max-old-space-size=64', '/x/portforward.js', ...other], TARGET)).toBe(
      true,
    );
  });

  it.each([
    'node --inspect /x/portforward.js',
    'node --inspect=127.0.0.1:9229 --enable-source-maps /x/portforward.js',
    'node --require ./first.js -r second.js --import=third.mjs /x/portforward.js',
    'node20 --title forward /x/portforward.js',
    'nodejs -- /x/portforward.js',
    `${process.execPath} portforward.js`,
  ])('is recognized behind the flags of node: %s', (line) => {
    expect(matchesForward([...words(line), ...forwardArgs(START)], TARGET)).toBe(true);
  });

  it.each([
    'node -e code /x/portforward.js',
    'node --eval=code /x/portforward.js',
    'node -pe code /x/portforward.js',
    'node --check /x/portforward.js',
    'node other.js /x/portforward.js',
    'node --require /x/portforward.js',
    'node --inspect other.js /x/portforward.js',
    'vim /x/portforward.js',
    'tail -f /x/portforward.js',
    'nodemon /x/portforward.js',
    '/x/portforward.js',
  ])('is not that of another program: %s', (line) => {
    expect(isForward([...words(line), ...forwardArgs(START)])).toBe(false);
  });

  it('is judged at once for the longest word that Linux passes to a process', () => {
    const { user } = process.cpuUsage();
    for (const letters of ['e', 'ep', 'ae']) {
      const word = `-${letters.repeat(64 * 1024 - 2)}!`;
      expect(isForward([DAEMON[0]!, word, DAEMON[1]!, ...forwardArgs(START)])).toBe(true);
    }
    expect(process.cpuUsage().user - user).toBeLessThan(1_000_000);
  });

  it.each([
    { ...TARGET, namespace: 'acme-dev2' },
    { ...TARGET, service: 'acme-api' },
    { ...TARGET, localPort: 17_122 },
    { ...TARGET, port: 22 },
  ])('does not match %j', (target) => {
    expect(matchesForward([...DAEMON, ...forwardArgs(START)], target)).toBe(false);
  });
});

describe('the argv of kubectl port-forward', () => {
  it.each([
    'kubectl port-forward -n acme-dev1 svc/acme-ssh 17022:17022',
    'kubectl port-forward svc/acme-ssh 17022:17022 --namespace acme-dev1',
    '/usr/local/bin/kubectl --context kind-plat --namespace=acme-dev1 port-forward service/acme-ssh 17022',
    'kubectl port-forward --address 0.0.0.0 services/acme-ssh 17022:17022 -nacme-dev1',
    'kubectl port-forward -n=acme-dev1 service.v1/acme-ssh 8080:80 17022:17022',
    'kubectl --insecure-skip-tls-verify port-forward -n acme-dev1 svc/acme-ssh 17022:17022',
    'kubectl -v4 port-forward -n acme-dev1 svc/acme-ssh 17022:17022',
    'kubectl -v 4 port-forward -n acme-dev1 svc/acme-ssh 17022:17022',
    'kubectl port-forward -n acme-dev1 -- svc/acme-ssh 17022:17022',
    'kubectl port-forward --namespace other -n acme-dev1 svc/acme-ssh 17022:17022',
  ])('matches: %s. Rule H9', (line) => {
    expect(matchesForward(words(line), TARGET)).toBe(true);
  });

  it.each([
    'kubectl port-forward -n acme-dev2 svc/acme-ssh 17022:17022',
    'kubectl port-forward svc/acme-ssh 17022:17022',
    'kubectl port-forward -n acme-dev1 svc/acme-ssh 17022:22',
    'kubectl port-forward -n acme-dev1 svc/acme-ssh 17122:17022',
    'kubectl port-forward -n acme-dev1 pod/acme-ssh 17022:17022',
    'kubectl port-forward -n acme-dev1 acme-ssh 17022:17022',
    'kubectl port-forward -n acme-dev1 --namespace other svc/acme-ssh 17022:17022',
    'kubectl port-forward -n acme-dev1 svc/acme-ssh/more 17022:17022',
  ])('does not match: %s', (line) => {
    expect(matchesForward(words(line), TARGET)).toBe(false);
  });
});

describe('a process that is never signalled', () => {
  it.each([
    '',
    'kubectl get pods -n acme-dev1',
    'kubectl logs port-forward svc/acme-ssh 17022:17022 -n acme-dev1',
    'kubectl port-forward -n acme-dev1 svc/acme-ssh 0:17022',
    'kubectl port-forward -n acme-dev1 svc/acme-ssh 17022:70000',
    'ssh kubectl port-forward -n acme-dev1 svc/acme-ssh 17022:17022',
    'vim /opt/plat/portforward.js',
    'node portforward.js',
    'node portforward.js forward --namespace acme-dev1 --service acme-ssh',
    'node portforward.js forward --namespace acme-dev1 --service acme-ssh --ports 17022:99999',
    'bash -c kubectl port-forward',
  ])('is: %s. Rule H9', (line) => {
    expect(isForward(words(line))).toBe(false);
  });

  it('is one without arguments', () => {
    expect(targetsOf([])).toEqual([]);
  });
});
