/**
 * @peers openssh
 * @paths apps/plat apps/portforward libs deploy/images tools/build
 */
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, stat, watch, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { probe } from '@plat/forwards';
import { execFile, peer, type ServedGit, serveGit } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { builtPlat, ended, Machine, said } from '../black-box/plat-process';
import { type Booted, MOUNTED_ALIAS, RuntimePod } from '../black-box/runtime-pod';
import { sessionPath } from '../session/stored-session';

describe('plat runtime boot, Rule H16,', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterEach(async () => {
    for (const dispose of disposals.splice(0).reverse()) await dispose();
  });

  async function newPod(): Promise<RuntimePod> {
    const machine = await Machine.create();
    disposals.push(() => machine.remove());
    return RuntimePod.create(machine);
  }

  async function booted(
    pod: RuntimePod,
    variables: Record<string, string> = {},
    ready?: RegExp[],
  ): Promise<Booted> {
    const started = await pod.boot(variables, ready);
    disposals.push(() => end(started));
    return started;
  }

  /** A repository behind a real server, with the tag v1.2.0 before the tip of main. */
  async function served(
    pod: RuntimePod,
  ): Promise<ServedGit & { remote: string; tagged: string; tip: string }> {
    const origin = await GateCheckout.create(pod.machine);
    await origin.git('tag', 'v1.2.0');
    await origin.git('push', '--quiet', 'origin', 'v1.2.0');
    const tagged = await origin.git('rev-parse', 'HEAD');
    const tip = await origin.commit({ 'more.txt': 'more\n' }, 'More');
    await origin.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
    const server = await serveGit(pod.machine.home);
    disposals.push(() => server.close());
    return { ...server, remote: `${server.origin}/origin.git`, tagged, tip };
  }

  it('serves the MCP server and the SSH server; a shell has the variables of the pod, and plat works in it', async () => {
    const pod = await newPod();
    const ssh = await userKey(pod);
    const secret = String.raw`tok"en \ # 'x'`;
    await booted(pod, { LLM_AUTH_TOKEN: secret, LLM_API_KEY: '', PLAT_RUNTIME_REGISTRY: 'r.example' });
    expect(await ssh('printf "%s|%s|%s" "$PLAT_TENANT" "$LLM_AUTH_TOKEN" "${LLM_API_KEY-unset}"')).toBe(
      `acme|${secret}|`,
    );
    const leases = `${process.execPath} ${await builtPlat()} activity lease list --json`;
    expect(await ssh(leases)).toBe('[]\n');
    const answer = await fetch(`http://127.0.0.1:${pod.ports.mcp}/mcp`);
    expect(answer.status).toBe(405);
  });

  it('with a mounted token its MCP server listens on all addresses, and on loopback alone without one. Rule G14', async () => {
    const pod = await newPod();
    expect((await booted(pod)).log()).toContain(`Serving tools on http://127.0.0.1:${pod.ports.mcp}/mcp\n`);
    const open = await newPod();
    const token = 'token-of-the-secret-0123456789abcdefghij';
    await writeFile(open.mcpTokenMount, token, { mode: 0o440 });
    const { log } = await booted(open, {}, [/Callers send the bearer token/, /Server listening on/]);
    expect(log()).toContain(`Serving tools on http://0.0.0.0:${open.ports.mcp}/mcp\n`);
    expect(log()).toContain(`Callers send the bearer token in ${open.mcpTokenMount}: `);
    const post = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${open.ports.mcp}/mcp`, { method: 'POST', headers })).status;
    expect(await post({})).toBe(401);
    // Let in, and refused by the library, because its Accept header is missing.
    expect(await post({ authorization: `Bearer ${token}` })).toBe(406);
  });

  it('clones PLAT_REPO_URL into an empty PLAT_REPO_PATH and checks PLAT_REPO_REF out', async () => {
    const pod = await newPod();
    const { remote, tagged } = await served(pod);
    await booted(pod, { PLAT_REPO_URL: remote, PLAT_REPO_REF: 'v1.2.0' });
    expect(await head(pod)).toBe(tagged);
    expect(await readdir(join(pod.machine.home, 'git'))).toEqual(['app']);
  });

  it('signs in to the remote with the mounted credential, and commits as the mounted person', async () => {
    const pod = await newPod();
    const origin = await GateCheckout.create(pod.machine);
    // The pod is another machine, with no settings of a person.
    await rm(join(pod.machine.home, '.gitconfig'));
    const wanted = `Basic ${Buffer.from('al:token-1').toString('base64')}`;
    const server = await serveGit(pod.machine.home, {
      refuses: ({ headers }) => headers.authorization !== wanted,
    });
    disposals.push(() => server.close());
    await mkdir(pod.gitMount);
    const helper = `!f() { test \\"$1\\" = get && cat ${join(pod.gitMount, 'credential')}; }; f`;
    const settings = `[user]\n\tname = "Al"\n\temail = "al@example.com"\n[credential "${server.origin}"]\n\thelper = "${helper}"\n`;
    await writeFile(join(pod.gitMount, 'config'), settings);
    await writeFile(join(pod.gitMount, 'credential'), 'username=al\npassword=token-1\n', { mode: 0o440 });
    const { log } = await booted(pod, { PLAT_REPO_URL: `${server.origin}/origin.git` });
    expect(log()).toContain(`Cloned ${server.origin}/origin.git`);
    expect(log()).not.toContain('token-1');
    const ident = await origin.git('-C', pod.checkout, 'var', 'GIT_COMMITTER_IDENT');
    expect(ident).toMatch(/^Al <al@example\.com> /);
  });

  it('a ref that does not resolve leaves the default branch', async () => {
    const pod = await newPod();
    const { remote, tip } = await served(pod);
    const { log } = await booted(pod, { PLAT_REPO_URL: remote, PLAT_REPO_REF: 'v9.9.9' });
    expect(await head(pod)).toBe(tip);
    expect(log()).toContain('It has no v9.9.9, so the default branch stays.');
  });

  it('a remote that cannot be read is reported, and the next boot clones it', async () => {
    const pod = await newPod();
    const { remote, tip } = await served(pod);
    const first = await booted(pod, { PLAT_REPO_URL: remote.replace('origin.git', 'nowhere.git') });
    expect(first.log()).toMatch(/stays as it is until the next boot: .*nowhere\.git/);
    await end(first);
    await booted(pod, { PLAT_REPO_URL: remote });
    expect(await head(pod)).toBe(tip);
  });

  it('a clone that was killed is begun again, and a checkout with a file in it stays as it is', async () => {
    const pod = await newPod();
    const { remote, tip } = await served(pod);
    await mkdir(`${pod.checkout}.first-clone/.git`, { recursive: true });
    const first = await booted(pod, { PLAT_REPO_URL: remote });
    expect(await head(pod)).toBe(tip);
    await end(first);
    await rm(pod.checkout, { recursive: true });
    await mkdir(pod.checkout);
    await writeFile(join(pod.checkout, 'mine.txt'), 'mine');
    await booted(pod, { PLAT_REPO_URL: remote });
    expect(await readdir(pod.checkout)).toEqual(['mine.txt']);
  });

  it('a second boot changes nothing that is there', async () => {
    const pod = await newPod();
    await pod.mountSession('refresh-1', '2026-11-22T00:00:00.000Z');
    const { remote } = await served(pod);
    await end(await booted(pod, { PLAT_REPO_URL: remote }));
    const config = join(pod.environmentConfig, 'config.yaml');
    await writeFile(
      config,
      `# mine\n${(await readFile(config, 'utf8')).replace('type: runtime', 'type: remote-agent')}`,
    );
    const before = await everything(pod);
    await end(await booted(pod, { PLAT_REPO_URL: remote }));
    expect(await everything(pod)).toEqual(before);
    expect(before[config]).toContain('type: remote-agent');
  });

  it('takes the mounted session over once, and again only if it was provisioned again', async () => {
    const pod = await newPod();
    const path = sessionPath(pod.machine.configFolder, { ...MOUNTED_ALIAS, kind: 'platform' });
    await pod.mountSession('refresh-1', '2026-11-22T00:00:00.000Z');
    await end(await booted(pod));
    const first = JSON.parse(await readFile(path, 'utf8')) as object;
    expect(first).toEqual({
      accessToken: '',
      expiresAt: '1970-01-01T00:00:00.000Z',
      refreshToken: 'refresh-1',
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    // The pod has renewed its token since.
    await writeFile(path, JSON.stringify({ ...first, refreshToken: 'refresh-2' }));
    await end(await booted(pod));
    expect(await readFile(path, 'utf8')).toContain('refresh-2');
    await pod.mountSession('refresh-9', '2026-11-23T00:00:00.000Z');
    const third = await booted(pod);
    expect(await readFile(path, 'utf8')).toContain('refresh-9');
    expect(third.log()).not.toContain('refresh-9');
  });

  it.each([
    [
      'none',
      async () => undefined,
      'The environment has no session: run plat init again with --renew-session',
    ],
    [
      'one without its alias',
      (pod: RuntimePod) => rm(join(pod.sessionMount, 'alias.json')),
      'is incomplete or malformed: run plat init again with --renew-session',
    ],
  ])('an environment with %s serves, and its log names the remedy', async (kind, change, message) => {
    const pod = await newPod();
    if (kind !== 'none') await pod.mountSession('refresh-1', '2026-11-22T00:00:00.000Z');
    await change(pod);
    expect((await booted(pod)).log()).toContain(message);
  });

  it('a configuration that cannot be read does not keep a person out who would correct it', async () => {
    const pod = await newPod();
    const ssh = await userKey(pod);
    await mkdir(pod.environmentConfig, { recursive: true });
    const path = join(pod.machine.configFolder, 'config.yaml');
    await writeFile(path, 'defaultTenant: [\n');
    const { log } = await booted(pod, {}, [/Server listening on/]);
    expect(log()).toContain('The configuration is not written: ');
    expect(await ssh('echo in')).toBe('in\n');
    expect(await readFile(path, 'utf8')).toBe('defaultTenant: [\n');
  });

  it('a home that takes no file does not keep a person out who would clear it', async () => {
    const pod = await newPod();
    const ssh = await userKey(pod);
    // Files in place of the folders fail as a full disk does.
    for (const name of ['.config', '.ssh', 'outputs', 'git']) {
      await writeFile(join(pod.machine.home, name), '');
    }
    await pod.mountSession('refresh-1', '2026-11-22T00:00:00.000Z');
    const { log } = await booted(pod, { PLAT_REPO_URL: 'http://127.0.0.1:1/app.git' }, [
      /Server listening on/,
    ]);
    for (const line of [
      'The configuration is not written',
      'The session is not taken over',
      'stays as it is',
    ]) {
      expect(log()).toContain(line);
    }
    expect(log()).toContain('The SSH server has another host key until the next boot');
    expect(await ssh('echo in')).toBe('in\n');
  });

  it('SIGTERM during the clone ends the pod with 0, and leaves the checkout empty', async () => {
    const pod = await newPod();
    const silent = createServer().listen(0, '127.0.0.1');
    disposals.push(() => new Promise((closed) => silent.close(closed)));
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const started = pod.boot({ PLAT_REPO_URL: `http://127.0.0.1:${port}/app.git` }, []);
    const [socket] = (await once(silent, 'connection')) as [Socket];
    expect(await end(await started)).toBe(0);
    socket.destroy();
    expect(await readdir(join(pod.machine.home, 'git'))).not.toContain('app');
  });

  it('the host key stays, and is private again after a volume was mounted for a group', async () => {
    const pod = await newPod();
    await end(await booted(pod));
    const key = join(pod.machine.home, '.ssh', 'plat', 'host_ed25519');
    const before = await readFile(key, 'utf8');
    await chmod(key, 0o660);
    const ssh = await userKey(pod);
    await booted(pod);
    expect(await ssh('echo in')).toBe('in\n');
    expect(await readFile(key, 'utf8')).toBe(before);
  });

  it('logs no probe of the SSH port, and each user who is refused', async () => {
    const pod = await newPod();
    const { child, log } = await booted(pod);
    for (const end of ['at once', 'after the banner', 'at once']) {
      const socket = connect(pod.ports.sshd, '127.0.0.1');
      await once(socket, end === 'at once' ? 'connect' : 'data');
      socket.destroy();
    }
    expect(await probe('sshd', pod.ports.sshd, 5000)).toEqual({ alive: true });
    // The server handles each connection in a process of its own; that of the user is begun last.
    const ssh = await userKey(pod);
    await rm(join(pod.sessionMount, 'authorized_keys'));
    const refused = said(child, /authenticating user/);
    await expect(ssh('true')).rejects.toThrow('Permission denied');
    await refused;
    const lines = log()
      .split('\n')
      .filter((line) => /Connection (?:closed|reset)/.test(line));
    expect(lines).toEqual([expect.stringMatching(/^Connection (?:closed|reset) by authenticating user /)]);
  });

  it.each([
    ['The MCP server', /plat\.js mcp/, /The MCP server ended \(SIGKILL\).*[\s\S]*Serving tools on/],
    ['The SSH server', /sshd/, /The SSH server ended \(SIGKILL\).*[\s\S]*Server listening on/],
  ])('%s is started again after it was killed', async (_, pattern, message) => {
    const { child, childNamed } = await booted(await newPod());
    const again = said(child, message);
    process.kill(await childNamed(pattern), 'SIGKILL');
    await again;
  });

  it('SIGTERM ends the servers in order, and then the pod with 0', async () => {
    const pod = await booted(await newPod());
    const servers = await Promise.all([pod.childNamed(/plat\.js mcp/), pod.childNamed(/sshd/)]);
    expect(await end(pod)).toBe(0);
    expect(pod.log()).toMatch(/The SSH server has ended\.\nThe MCP server has ended\.\n$/);
    for (const pid of servers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('SIGTERM lets the jobs of the pod end in order', async () => {
    const pod = await newPod();
    const started = await booted(pod);
    const folder = join(pod.machine.home, 'job');
    await mkdir(folder);
    const script = `trap 'echo saved > ${folder}/work; exit 0' TERM; echo > ${folder}/up; while :; do sleep 0.1; done`;
    const changes = watch(folder)[Symbol.asyncIterator]();
    const up = changes.next();
    await pod.machine.plat(['exec', 'job', 'start', '--', 'sh', '-c', script], { env: pod.variables });
    await up;
    await changes.return?.();
    expect(await end(started)).toBe(0);
    expect(await readFile(join(folder, 'work'), 'utf8')).toBe('saved\n');
    expect(started.log()).toContain('Jobs that were ended with the pod: 1.');
  });

  it.each([
    ['outside of a pod', { PLAT_KUBERNETES_CONTEXT: '' }, 'NOT_A_POD'],
    [
      'with a wrong variable',
      { PLAT_SSHD_PORT: '23' },
      'INVALID_VARIABLES: PLAT_SSHD_PORT "23" is neither 22 nor',
    ],
  ])('%s it is refused, and nothing is written', async (_, variables, message) => {
    const pod = await newPod();
    const env = { ...pod.variables, ...variables };
    const run = await pod.machine.plat(['runtime', 'boot', '--session', pod.sessionMount], { env });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(message);
    // The machine of the test has its temporary files in `.tmp`.
    expect((await readdir(pod.machine.home)).sort()).toEqual(['.tmp', 'session']);
  });
});

/** Ends the pod as Kubernetes does. @returns its exit code */
async function end({ child }: Booted): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  child.kill('SIGTERM');
  return (await ended(child)).code;
}

async function head(pod: RuntimePod): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-C', pod.checkout, 'rev-parse', 'HEAD']);
  return stdout.trim();
}

/** Gives the pod the key of a user. @returns what runs a command in the pod over ssh */
async function userKey(pod: RuntimePod): Promise<(command: string) => Promise<string>> {
  const key = join(pod.machine.home, 'user-key');
  await promisify(execFile)(peer('ssh-keygen'), ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  await writeFile(join(pod.sessionMount, 'authorized_keys'), await readFile(`${key}.pub`, 'utf8'));
  const options = [
    'IdentitiesOnly=yes',
    'BatchMode=yes',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
  ];
  return async (command) => {
    const args = [
      '-F',
      'none',
      '-i',
      key,
      '-p',
      String(pod.ports.sshd),
      ...options.flatMap((each) => ['-o', each]),
    ];
    const { stdout } = await promisify(execFile)(peer('ssh'), [
      ...args,
      `${userInfo().username}@127.0.0.1`,
      command,
    ]);
    return stdout;
  };
}

/** The text of each file that a boot may write, by its path. */
async function everything(pod: RuntimePod): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const folder of ['.config', '.ssh', 'git', 'outputs']) {
    const entries = await readdir(join(pod.machine.home, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      texts[path] = await readFile(path, 'latin1');
    }
  }
  return texts;
}
