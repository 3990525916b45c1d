import { forwardArgs, isForward, matchesForward, targetsOf } from './forward-argv';

const TARGET = { namespace: 'acme-dev', service: 'acme-ssh', localPort: 17_022, port: 17_022 };
const DAEMON = ['/usr/bin/node', '/opt/plat/portforward.js'];
const words = (line: string) => line.split(' ');

describe('the argv of the daemon', () => {
  it('has namespace, Service, ports, context and state file. Decision H9', () => {
    expect(forwardArgs({ ...TARGET, context: 'kind', state: '/s.json' }).join(' ')).toBe(
      'forward --namespace acme-dev --service acme-ssh --ports 17022:17022 --context kind --state /s.json',
    );
    expect(forwardArgs({ ...TARGET, context: '', state: '/s.json' })).not.toContain('--context');
  });

  it('matches by namespace, Service and ports; context and state are not compared', () => {
    const argv = [...DAEMON, ...forwardArgs({ ...TARGET, context: 'other', state: '/other.json' })];
    expect(matchesForward(argv, TARGET)).toBe(true);
    expect(matchesForward(argv, { ...TARGET, namespace: 'acme-prod' })).toBe(false);
    expect(matchesForward(argv, { ...TARGET, service: 'acme-mcp' })).toBe(false);
    expect(matchesForward(argv, { ...TARGET, localPort: 17_023 })).toBe(false);
    expect(matchesForward(argv, { ...TARGET, port: 22 })).toBe(false);
  });

  it('is that of no other program', () => {
    expect(isForward([...DAEMON, 'list'])).toBe(false);
    expect(isForward(words('vim notes/portforward.js forward'))).toBe(false);
    expect(isForward([...DAEMON, 'forward', '--namespace', 'acme-dev'])).toBe(false);
    expect(isForward([])).toBe(false);
  });
});

describe('kubectl … port-forward', () => {
  it.each([
    'kubectl port-forward svc/acme-ssh 17022:17022 --namespace acme-dev',
    '/usr/bin/kubectl --namespace acme-dev port-forward service/acme-ssh 17022:17022',
    'kubectl -n acme-dev port-forward services/acme-ssh 17022',
    'kubectl -nacme-dev port-forward service.v1/acme-ssh 17022:17022',
    'kubectl --namespace=acme-dev --context kind port-forward --address 127.0.0.1 svc/acme-ssh 17022:17022',
    'kubectl -n acme-dev --insecure-skip-tls-verify port-forward svc/acme-ssh 80:80 17022:17022',
  ])('matches: %s', (line) => {
    expect(matchesForward(words(line), TARGET)).toBe(true);
  });

  it.each([
    'kubectl port-forward svc/acme-ssh 17022:17022',
    'kubectl -n acme-dev port-forward pod/acme-ssh 17022:17022',
    'kubectl -n acme-dev port-forward acme-ssh 17022:17022',
    'kubectl -n acme-dev port-forward svc/acme-ssh 17022:22',
    'kubectl -n acme-dev port-forward svc/acme-ssh :17022',
    'kubectl -n acme-dev exec svc/acme-ssh 17022:17022',
    'other -n acme-dev port-forward svc/acme-ssh 17022:17022',
    'kubectl -n acme-dev port-forward svc/acme-ssh/x 17022:17022',
    'kubectl -n acme-dev port-forward svc/acme-ssh 99999:99999',
  ])('does not match: %s', (line) => {
    expect(matchesForward(words(line), TARGET)).toBe(false);
  });

  it('may forward several pairs', () => {
    expect(targetsOf(words('kubectl -n a-b port-forward svc/s 1:2 3'))).toEqual([
      { namespace: 'a-b', service: 's', localPort: 1, port: 2 },
      { namespace: 'a-b', service: 's', localPort: 3, port: 3 },
    ]);
  });
});
