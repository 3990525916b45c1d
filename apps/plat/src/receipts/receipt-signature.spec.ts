import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPinnedKeys } from './receipt-signature';

it('a file that has no keys is named, and none of its words', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plat-keys-'));
  const file = join(folder, 'keys');
  await writeFile(file, 'SECRET=hunter2\n');
  const reason = `${file} holds no keys of receipts: it is not JSON.`;
  expect(() => readPinnedKeys(file)).toThrow(
    expect.objectContaining({ code: 'KEYS_NOT_READABLE', message: reason }),
  );
  await rm(folder, { recursive: true });
});
