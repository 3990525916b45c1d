import { cp, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findBinaries } from './binaries';
import { chooseClusterUser } from './cluster-user';
import { chooseLauncher } from './launcher';

// Making a database takes a second alone, and several when other suites run at the same time.
jest.setTimeout(60_000);

// Only root may start PostgreSQL as another user.
const itAsRoot = process.getuid?.() === 0 ? it : it.skip;

let closed: string;
beforeEach(async () => {
  // mkdtemp makes it 0700, so only its owner can reach anything below it.
  closed = await mkdtemp(join(tmpdir(), 'plat-closed-'));
});
afterEach(() => rm(closed, { recursive: true, force: true }));

itAsRoot('as root, binaries and data below a 0700 folder are within reach of the other user', async () => {
  await cp(join(dirname(findBinaries().initdb), '..'), join(closed, 'native'), { recursive: true });
  const bin = join(closed, 'native', 'bin');
  const binaries = { ...findBinaries(), initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  const user = await chooseClusterUser(join(closed, 'data'));
  const launcher = await chooseLauncher(binaries, user);
  await launcher.run(binaries.initdb, ['--pgdata', join(closed, 'data'), '--no-sync', '--auth', 'trust']);
  expect((await stat(join(closed, 'data', 'PG_VERSION'))).uid).toBe(user?.uid);
});

it('binaries that cannot be run are named, with the reason', async () => {
  const postgres = join(closed, 'postgres');
  await mkdir(postgres);
  await expect(chooseLauncher({ ...findBinaries(), postgres }, undefined)).rejects.toThrow(
    `The PostgreSQL binary ${postgres} cannot be run as the current user`,
  );
});
