import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readProcess, readRecord, withChannelLock } from '@plat/forwards';
import { type ReservedPorts, reservePorts, spawn } from '@plat/testing';
import { builtPlat } from '../black-box/plat-process';
import { reconcileForward } from './reconcile-forward';
import { forwardArgv, startForward } from './start-forward';
import { wantedForwards } from './wanted-forward';

const NAME = { tenant: 'acme', environment: 'dev' };

let folder: string;
let reserved: ReservedPorts;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-taken-'));
  reserved = await reservePorts();
});
afterEach(() => Promise.all([rm(folder, { recursive: true }), reserved.release()]));

function wanted() {
  const port = reserved.start;
  const ports = { mcp: port, sshd: port, api: port };
  const environment = { configFolder: folder, name: NAME, kubernetesContext: 'c', ports };
  const [mcp] = wantedForwards(environment);
  if (mcp === undefined) throw new Error('no forward');
  return { mcp, port };
}

const never = new AbortController().signal;
const hasService = () => Promise.resolve(true);

it('a port that is taken between probe and bind: its holder decides, and no process is left', async () => {
  const { mcp, port } = wanted();
  const real = join(dirname(await builtPlat()), 'portforward.js');
  let holder: Server | undefined;
  const opened = await reconcileForward(mcp, {
    // Read at the moment of the start, when the port was found free.
    get program() {
      holder = createServer().listen(port, '127.0.0.1');
      return real;
    },
    hasService,
    interrupted: never,
  });
  expect(opened).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining(`local mcp port ${port} is already in use by process ${process.pid}`),
  });
  expect((await readRecord(mcp.path)).record?.processId).toBeUndefined();
  holder?.close();
});

it('a port of a process of another user: it is refused, though its arguments are those of the forward', async () => {
  const { mcp, port } = wanted();
  const listening = `require('http').createServer((q, r) => r.end()).listen(${port}, '127.0.0.1', () => console.log('up'))`;
  const [node = '', ...args] = forwardArgv(await program(listening), mcp);
  const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const reconciliation = { program: '/none', hasService, interrupted: never };
  const user = jest.spyOn(process, 'geteuid').mockReturnValue(process.geteuid!() + 1);
  const asAnother = await reconcileForward(mcp, reconciliation);
  user.mockRestore();
  const asItsUser = await reconcileForward(mcp, reconciliation);
  child.kill();
  await once(child, 'exit');
  expect(asAnother).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining(`local mcp port ${port} is already in use by process ${child.pid}`),
  });
  expect(asItsUser).toMatchObject({ outcome: 'adopted', processId: child.pid });
});

/** The processes that have the path of a state file among their arguments. */
async function processesWith(path: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid));
  const all = await Promise.all(pids.map((pid) => readProcess(pid)));
  return all.flatMap((one) => (one?.argv.includes(path) === true ? [one.pid] : []));
}

/** A program in the place of the forward. */
async function program(source: string): Promise<string> {
  const path = join(folder, 'portforward.js');
  await writeFile(path, source);
  return path;
}

it.each<[string, string, string]>([
  ['ends without a word', 'process.exit(3)', 'it ended with 3 before it listened'],
  [
    'ends with an error',
    'console.error("first"); console.error("no such file"); process.exit(1)',
    'no such file',
  ],
  ['says nonsense', 'console.log("hello"); setInterval(() => {}, 1e6)', 'it reports "hello"'],
  ['refuses', 'console.log(JSON.stringify({ error: "EACCES", message: "not allowed" }))', 'not allowed'],
])('a forward that %s fails its channel with the reason', async (_what, source, message) => {
  const { mcp } = wanted();
  const said = { program: await program(source), hasService, interrupted: never };
  expect(await reconcileForward(mcp, said)).toMatchObject({ outcome: 'failed', message });
  expect(await processesWith(mcp.path)).toEqual([]);
});

it('a forward of which nothing is said is ended by an interruption', async () => {
  const path = await program('process.stderr.write(String(process.pid)); setInterval(() => {}, 1e6)');
  const interruption = new AbortController();
  const start = startForward([process.execPath, path], interruption.signal);
  interruption.abort(new Error('interrupted'));
  await expect(start).rejects.toThrow('interrupted');
});

it('an interruption ends the wait for another plat that works on the channel', async () => {
  const { mcp } = wanted();
  const interruption = new AbortController();
  const said = { program: 'none', hasService, interrupted: interruption.signal };
  await withChannelLock(folder, { name: NAME, channel: 'mcp' }, async () => {
    const waits = reconcileForward(mcp, said);
    interruption.abort(new Error('interrupted'));
    await expect(waits).rejects.toThrow('interrupted');
  });
});

it('a forward gets no token of a forge or a model, and absolute paths of the kubeconfig', async () => {
  const out = join(folder, 'variables.json');
  const source = `require('node:fs').writeFileSync(${JSON.stringify(out)}, JSON.stringify({ env: process.env, cwd: process.cwd() }))`;
  const before = { ...process.env };
  Object.assign(process.env, { GH_TOKEN: 'secret', LLM_API_KEY: 'secret', KUBECONFIG: 'one:/two' });
  await startForward([process.execPath, await program(source)], never);
  for (const name of ['GH_TOKEN', 'LLM_API_KEY', 'KUBECONFIG']) {
    if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = before[name];
  }
  const { env, cwd } = (await import(out)) as { env: Record<string, string>; cwd: string };
  expect(Object.values(env)).not.toContain('secret');
  expect(env.KUBECONFIG).toBe(`${join(process.cwd(), 'one')}:/two`);
  expect(cwd).toBe('/');
});
