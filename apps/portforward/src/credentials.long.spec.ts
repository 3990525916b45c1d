import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadClusterLibrary } from './black-box/cluster-library';
import { firstBytes, ForwardStand } from './black-box/forward-stand';

loadClusterLibrary();

let stand: ForwardStand;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-credentials-'));
});
afterEach(async () => {
  await stand.stop();
  await rm(folder, { recursive: true });
});

async function start(paths?: string[]): Promise<void> {
  stand = await ForwardStand.start({ paths });
  stand.addService(await stand.named('hello'));
}

async function readGreeting(): Promise<string> {
  return firstBytes(await stand.connect());
}

describe('a kept connection to the API server', () => {
  // The first connection leaves none, since it asks one question after the other, and dials.
  beforeEach(async () => {
    await start();
    await readGreeting();
    await readGreeting();
  });

  it('that has died silently, as in a sleep, is replaced by a fresh one', async () => {
    let silent = 0;
    stand.api.insteadOfAnswer = (request) => {
      const isReused = stand.api.requestsOf(request.socket) > 1;
      if (isReused) silent += 1;
      return !isReused;
    };
    expect(await readGreeting()).toBe('hello');
    expect(silent).toBeGreaterThan(0);
  });

  it('is that of the server before, if the API server was restarted', async () => {
    await stand.api.restart();
    expect(await readGreeting()).toBe('hello');
    expect(stand.failed).toEqual([]);
  });
});
