import { startTestNameServer } from '@plat/testing';
import { defaultVerifierConfig, type VerifierConfig } from '../config';
import { config, failsAs, failure, guardedStand } from './guarded-stand';

describe('the addresses to which GuardedHttp connects', () => {
  const stand = guardedStand();
  const { started, serve, get } = stand;
  afterEach(() => stand.close());

  describe('refuses a URL by its text:', () => {
    it.each(['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'data:,x'])(
      '%s, the scheme',
      async (url) => {
        expect(await failure(get(url, defaultVerifierConfig))).toEqual(
          failsAs('remote_refused', 'scheme not allowed'),
        );
      },
    );

    it('user name and password', async () => {
      expect(await failure(get('https://user:secret@example.com/'))).toEqual(
        failsAs('remote_refused', 'credentials in the address'),
      );
    });
  });

  it.each([
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://127.1/',
    'https://１２７.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://git.localhost./',
    'https://127.0.0.1./',
    'https://127.0.0.1:22/',
    'https://0177.0.0.1/',
    'https://%31%32%37.0.0.1/',
    'https://127。0。0。1/',
    'https://①②⑦.0.0.1/',
    'https://0/',
    'https://0xa9fea9fe/',
    'https://[::]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b:1::10.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
  ])('does not connect to %s', async (url) => {
    expect(await failure(get(url, defaultVerifierConfig))).toEqual(
      failsAs('remote_unreadable', expect.stringContaining('not allowed') as string),
    );
  });

  describe('a host name', () => {
    const configureNameServer = async (answers: string[][], allowed: Partial<VerifierConfig> = {}) => {
      const names = await startTestNameServer(answers);
      started.push(names);
      const used = {
        ...config,
        allowLoopback: false,
        nameResolution: 'dns' as const,
        nameServers: [names.address],
        ...allowed,
      };
      return { names, used };
    };

    it('is not connected to if one of its addresses is not allowed', async () => {
      let connections = 0;
      const origin = await serve((_, response) => response.end(String((connections += 1))));
      const { used } = await configureNameServer([['8.8.8.8', '127.0.0.1']]);
      expect(await failure(get(origin.replace('127.0.0.1', 'git.example.com'), used))).toEqual(
        failsAs('remote_unreadable', 'the address 127.0.0.1 of git.example.com is not allowed'),
      );
      expect(connections).toBe(0);
    });

    it('is looked up once, so that a DNS answer that changes after the check has no effect', async () => {
      const origin = await serve((_, response) => response.end('reached'));
      const { names, used } = await configureNameServer([['127.0.0.1'], ['10.0.0.1']], {
        allowLoopback: true,
      });
      expect((await get(origin.replace('127.0.0.1', 'git.example.com'), used)).text).toBe('reached');
      expect(names.asked()).toBe(1);
    });

    it('is resolved by this machine if the deployment allows that', async () => {
      const used = { ...config, nameResolution: 'system' as const };
      expect(await failure(get('http://nowhere.invalid/', used))).toEqual(
        failsAs('remote_unreadable', 'host name without an address'),
      );
    });

    it('without an address fails like a closed port', async () => {
      const { used } = await configureNameServer([[]]);
      expect(await failure(get('http://git.example.com/', used))).toMatchObject({
        reason: 'remote_unreadable',
      });
    });
  });

  describe('inside what the operator allows', () => {
    /** Without any other way to loopback than the entries. */
    const serveAllowed = async (
      entries: (port: string) => string[],
      answers: string[][] = [['127.0.0.1']],
    ) => {
      let served = 0;
      const origin = await serve((request, response) => {
        served += 1;
        if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.1:1/' });
        response.end('reached');
      });
      const names = await startTestNameServer(answers);
      started.push(names);
      const { port } = new URL(origin);
      const used: VerifierConfig = {
        ...config,
        allowLoopback: false,
        nameResolution: 'dns',
        nameServers: [names.address],
        allowedNetworks: entries(port),
      };
      return { used, names, origin, named: `http://git.house:${port}`, served: () => served };
    };
    const closed = (name: string) => failsAs('remote_unreadable', expect.stringContaining(name) as string);

    it.each([
      ['the address', () => ['127.0.0.1/32']],
      ['the address and its port', (port: string) => [`127.0.0.1:${port}`]],
    ])('a server is read by its address and by its name: %s', async (_, entries) => {
      const { used, origin, named } = await serveAllowed(entries);
      expect((await get(origin, used)).text).toBe('reached');
      expect((await get(named, used)).text).toBe('reached');
    });

    it('another address of the same range is not connected to, by its text or by a name', async () => {
      const { used, origin, named, served } = await serveAllowed(() => ['127.0.0.2/32']);
      expect(await failure(get(origin, used))).toEqual(closed('not allowed'));
      expect(await failure(get(named, used))).toEqual(closed('not allowed'));
      expect(served()).toBe(0);
    });

    it('another port of an allowed host is not connected to', async () => {
      const { used, origin, named, served } = await serveAllowed(() => ['127.0.0.1:1', 'git.house:1']);
      expect(await failure(get(origin, used))).toEqual(closed('not allowed'));
      expect(await failure(get(named, used))).toEqual(closed('not allowed'));
      expect(served()).toBe(0);
    });

    it('a name is no way to loopback or to link-local addresses', async () => {
      for (const address of ['127.0.0.1', '169.254.169.254', '0.0.0.0']) {
        const { used, named, served } = await serveAllowed((port) => [`git.house:${port}`], [[address]]);
        expect(await failure(get(named, used))).toEqual(closed('not allowed'));
        expect(served()).toBe(0);
      }
    });

    it('a name with one address that is not allowed is not connected to', async () => {
      const { used, named, served } = await serveAllowed(() => ['127.0.0.1/32'], [['127.0.0.1', '10.0.0.1']]);
      expect(await failure(get(named, used))).toEqual(closed('not allowed'));
      expect(served()).toBe(0);
    });

    it('a name is looked up once, so that rebinding it after the check has no effect', async () => {
      const { used, named, names } = await serveAllowed(
        () => ['127.0.0.1/32'],
        [['127.0.0.1'], ['127.0.0.2']],
      );
      expect((await get(named, used)).text).toBe('reached');
      expect(names.asked()).toBe(1);
    });

    it('a redirect to another place of the same network is not followed', async () => {
      const { used, origin } = await serveAllowed(() => ['127.0.0.1/32']);
      expect(await failure(get(`${origin}/away`, used))).toEqual(closed('redirect to another host'));
    });
  });
});
