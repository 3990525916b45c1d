import { loadClusterLibrary } from './black-box/cluster-library';
import { endOf, firstBytes, ForwardStand, TARGET } from './black-box/forward-stand';

const [POD, SERVICE] = ['acme-dev/acme-api-0', 'acme-dev/acme-api'];
const LABELS = { app: 'acme-api' };

loadClusterLibrary();

let stand: ForwardStand;

beforeEach(async () => {
  stand = await ForwardStand.start();
});
afterEach(() => stand.stop());

/** Opens a connection, and returns the first bytes of the program in the pod. */
async function readGreeting(): Promise<string> {
  const socket = await stand.connect();
  return firstBytes(socket);
}

/** Why a connection that is opened now is cut. */
async function refusal(): Promise<string | undefined> {
  expect(await endOf(await stand.connect())).toBe('cut');
  return stand.failed.at(-1);
}

describe('each connection', () => {
  it('goes to a pod that is ready then, also after the pod was replaced', async () => {
    stand.addService(await stand.named('one'));
    expect(await readGreeting()).toBe('one');
    stand.api.pods.delete(POD);
    const ports = { [TARGET.port]: await stand.named('two') };
    stand.api.pods.set('acme-dev/acme-api-1', { labels: LABELS, isReady: true, ports });
    expect(await readGreeting()).toBe('two');
  });

  it('goes to the pod that has the name now, if a pod was replaced by one of the same name', async () => {
    stand.addService(await stand.named('one'));
    expect(await readGreeting()).toBe('one');
    const ports = { [TARGET.port]: await stand.named('two') };
    stand.api.pods.set(POD, { uid: 'later', labels: LABELS, isReady: true, ports });
    expect(await readGreeting()).toBe('two');
  });

  it('goes to no pod that is terminating or not ready, though it would answer', async () => {
    stand.addService(await stand.named('one'));
    expect(await readGreeting()).toBe('one');
    const pod = stand.api.pods.get(POD)!;
    const ports = { [TARGET.port]: await stand.named('two') };
    stand.api.pods.set('acme-dev/acme-api-1', { labels: LABELS, isReady: true, ports });
    pod.isTerminating = true;
    expect(await readGreeting()).toBe('two');
    pod.isTerminating = false;
    pod.isReady = false;
    expect(await readGreeting()).toBe('two');
  });

  it('goes to the next ready pod if the first has just gone', async () => {
    stand.addService(await stand.named('one'));
    const ports = { [TARGET.port]: await stand.named('two') };
    stand.api.pods.set('acme-dev/acme-api-1', { labels: LABELS, isReady: true, ports });
    // The list still has the pod when it is dialed.
    stand.api.insteadOfAnswer = ({ url = '' }) => {
      if (url.includes('/acme-api-0/portforward')) stand.api.pods.delete(POD);
      return true;
    };
    expect(await readGreeting()).toBe('two');
  });

  it('follows the Service to another port of the pod, by number and by name', async () => {
    stand.addService(await stand.named('one'));
    const pod = stand.api.pods.get(POD)!;
    pod.ports[8080] = await stand.named('by number');
    pod.ports[8081] = await stand.named('by name');
    pod.portNames = { web: 8081 };
    stand.api.services.get(SERVICE)!.ports = [{ port: 1 }, { port: TARGET.port, targetPort: 8080 }];
    expect(await readGreeting()).toBe('by number');
    stand.api.services.get(SERVICE)!.ports = [{ port: TARGET.port, targetPort: 'web' }];
    expect(await readGreeting()).toBe('by name');
  });

  it('follows the Service to other pods', async () => {
    stand.addService(await stand.named('one'));
    expect(await readGreeting()).toBe('one');
    const ports = { [TARGET.port]: await stand.named('two') };
    stand.api.pods.set('acme-dev/other-0', { labels: { app: 'other' }, isReady: true, ports });
    stand.api.services.get(SERVICE)!.selector = { app: 'other' };
    expect(await readGreeting()).toBe('two');
  });

  it('dials the pod of the last success without waiting for the list, and uses it only if it is listed', async () => {
    stand.addService(await stand.named('one'));
    await readGreeting();
    const { api } = stand;
    api.requests.length = 0;
    await readGreeting();
    expect(api.requests.map((request) => request.split(' ')[0]).sort()).toEqual(['DIAL', 'GET', 'GET']);
  });
});

describe('a connection is refused', () => {
  it('by a pod that is ready before its program listens, with the reason; the next one works', async () => {
    stand.addService(await stand.named('one'));
    const pod = stand.api.pods.get(POD)!;
    const { ports } = pod;
    pod.ports = {};
    expect(await endOf(await stand.connect())).toBe('cut');
    expect((await stand.nextEnd()).failure).toContain('connection refused');
    pod.ports = ports;
    expect(await readGreeting()).toBe('one');
  });

  it('while no pod is ready, and made as soon as one is', async () => {
    stand.addService(await stand.named('one'));
    const pod = stand.api.pods.get(POD)!;
    pod.isReady = false;
    expect(await refusal()).toBe('No pod of the Service acme-api is ready.');
    pod.isReady = true;
    expect(await readGreeting()).toBe('one');
  });

  it('if the Service is missing, which does not count as the end of the environment', async () => {
    stand.api.namespaces.add('acme-dev');
    expect(await refusal()).toBe('The namespace acme-dev has no Service acme-api.');
    expect(stand.gone).toEqual([]);
  });

  it('if the Service lacks the port, has no selector, or names a port that no pod has', async () => {
    stand.addService(await stand.named('one'));
    const service = stand.api.services.get(SERVICE)!;
    service.ports = [{ port: 80 }];
    expect(await refusal()).toBe('The Service acme-api has no port 17033.');
    service.ports = [{ port: TARGET.port, targetPort: 'nowhere' }];
    expect(await refusal()).toBe('No ready pod of the Service acme-api has its port 17033.');
    for (const targetPort of [0, -1, 1.5, 65_536, 1e308]) {
      service.ports = [{ port: TARGET.port, targetPort }];
      expect(await refusal()).toBe('No ready pod of the Service acme-api has its port 17033.');
    }
    expect(stand.api.requests.filter((request) => request.startsWith('DIAL'))).toEqual([]);
    service.selector = {};
    expect(await refusal()).toBe('The Service acme-api selects no pods.');
  });

  it('if the namespace does not exist, which is the end of the environment', async () => {
    expect(await refusal()).toBe('The namespace acme-dev is gone.');
    expect(stand.gone).toEqual(['The namespace acme-dev is gone.']);
  });

  it.each([
    ['lists in lists', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
    ['empty objects', `[${'{},'.repeat(1_000_000)}{}]`],
  ])('if the API server answers a million %s, which are not parsed', async (_, body) => {
    stand.api.insteadOfAnswer = (_request, socket) => {
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
      return false;
    };
    const parse = jest.spyOn(JSON, 'parse');
    const message = await refusal();
    const longest = Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(message).toMatch(
      /^The API server cannot be reached: its answer is no list of pods \(too_\w+\)\.$/,
    );
    expect(longest).toBeLessThan(body.length);
  });

  it('if the API server refuses to say whether the namespace exists, which is not the end', async () => {
    stand.api.insteadOfAnswer = ({ url = '' }, socket) => {
      if (url !== '/api/v1/namespaces/acme-dev') return true;
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}');
      return false;
    };
    expect(await refusal()).toBe('The namespace acme-dev has no Service acme-api.');
    expect(stand.gone).toEqual([]);
  });
});
