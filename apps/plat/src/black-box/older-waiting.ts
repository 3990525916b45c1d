import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes older what a client remembers of the things that wait for their seal. */
export async function makeWaitingOlder(configFolder: string, milliseconds: number): Promise<void> {
  const folder = join(configFolder, 'waiting');
  const names = (await readdir(folder)).filter((file) => !file.endsWith('.lock'));
  for (const path of names.map((name) => join(folder, name))) {
    const seen = JSON.parse(await readFile(path, 'utf8')) as Record<string, number>;
    const older = Object.entries(seen).map(([id, at]) => [id, at - milliseconds] as const);
    await writeFile(path, JSON.stringify(Object.fromEntries(older)));
  }
}
