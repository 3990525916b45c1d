import { CHANNELS } from './channel';
import {
  channelFolder,
  isSameForward,
  logPathOf,
  parseRecord,
  recordPath,
  recordText,
} from './forward-record';

const RECORD = {
  tenant: 'acme',
  environment: 'dev1',
  kubernetesContext: 'kind-plat',
  namespace: 'acme-dev1',
  localPort: 17_000,
  logPath: '/config/portforward/mcp/acme/dev1.log',
  processId: 4711,
};
const read = (change: Record<string, unknown>) => parseRecord(JSON.stringify({ ...RECORD, ...change }));

describe('a state file', () => {
  it('is portforward/{mcp,sshd,api}/<tenant>/<env>.json. Spec: Client, Port-forward state file', () => {
    const name = { tenant: 'acme', environment: 'dev1' };
    expect(CHANNELS.map((channel) => recordPath('/config', name, channel))).toEqual([
      '/config/portforward/mcp/acme/dev1.json',
      '/config/portforward/sshd/acme/dev1.json',
      '/config/portforward/api/acme/dev1.json',
    ]);
  });

  it('names its log with .log in place of .json, at its end only. Spec: Client, Port-forward state file', () => {
    expect(logPathOf('/a.json/mcp/acme/dev1.json')).toBe('/a.json/mcp/acme/dev1.log');
  });

  it('has exactly seven fields, as JSON with two spaces. Rule H10', () => {
    const foreign = { ...RECORD, forwardPort: 1, proxyProcessId: 2 };
    expect(recordText(foreign)).toBe(`${JSON.stringify(RECORD, null, 2)}\n`);
  });

  it('is read as it was written', () => {
    expect(parseRecord(recordText(RECORD))).toEqual({ record: RECORD, isLegacy: false });
  });

  it.each([{ forwardPort: 22 }, { proxyProcessId: 4712 }])(
    'with the legacy field %j is stale. Spec: Client, Port-forward state file, rule 1',
    (field) => {
      expect(read(field)).toEqual({ record: RECORD, isLegacy: true });
    },
  );

  it.each([0, 1, -1, -4711, 2 ** 31, 1e300, 4711.5, '4711', null, true, [4711], {}])(
    'with the process id %j names no process',
    (processId) => {
      const { record } = read({ processId });
      expect(record).toEqual({ ...RECORD, processId: undefined });
    },
  );

  it.each([0, -1, 65_536, 70_000, 1.5, '17000', null, undefined])(
    'with the local port %j is no record',
    (localPort) => {
      expect(read({ localPort })).toEqual({ isLegacy: false });
    },
  );

  it.each([
    { tenant: '..', namespace: '..-dev1' },
    { environment: '../../etc', namespace: 'acme-../../etc' },
    { tenant: 'a/b', namespace: 'a/b-dev1' },
    { tenant: '', namespace: '-dev1' },
    { environment: 'dev1\0', namespace: 'acme-dev1\0' },
    { tenant: 7, namespace: '7-dev1' },
    { namespace: 'kube-system' },
    { kubernetesContext: undefined },
  ])('with %j is no record', (change) => {
    expect(read(change)).toEqual({ isLegacy: false });
  });

  it.each(['', '{', 'null', '[]', '"text"', '7', '{"tenant":"acme"}', '\0\0\0'])(
    'with the text %j is no record',
    (text) => {
      expect(parseRecord(text)).toEqual({ isLegacy: false });
    },
  );
});

describe('two records', () => {
  it.each(['tenant', 'environment', 'kubernetesContext', 'namespace', 'localPort'] as const)(
    'that differ in %s are of different forwards. Spec: Client, Port-forward reconciliation, rule 1',
    (field) => {
      const other = { ...RECORD, [field]: field === 'localPort' ? 17_100 : 'other' };
      expect(isSameForward(RECORD, other)).toBe(false);
    },
  );

  it('that differ only in process and log are of one forward', () => {
    expect(isSameForward(RECORD, { ...RECORD, processId: undefined, logPath: undefined })).toBe(true);
  });
});

describe('a name that leads out of its folder', () => {
  it.each(['', '.', '..', '../other', 'a/b', 'a\\b', 'dev1\0', '/etc'])('is refused: %j', (name) => {
    for (const path of [
      () => recordPath('/config', { tenant: name, environment: 'dev1' }, 'mcp'),
      () => recordPath('/config', { tenant: 'acme', environment: name }, 'mcp'),
      () => recordPath('/config', { tenant: 'acme', environment: 'dev1' }, name as 'mcp'),
      () => channelFolder('/config', name as 'mcp'),
    ]) {
      expect(path).toThrow(RangeError);
    }
  });
});
