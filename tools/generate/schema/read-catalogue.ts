import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate, schemaSource } from '@plat/database';
import { startCluster } from '@plat/embedded';
import { readLogins } from './logins';
import { readPublished } from './published';

/** The catalogue's content as texts of files. */
export interface CatalogueTexts {
  logins: string;
  published: string;
}

/** Migrates a new database and reads logins and published functions from its catalogue, in a stable order. */
export async function readCatalogue(root: string): Promise<CatalogueTexts> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plat-schema-'));
  const cluster = await startCluster({ dataDir, durable: false });
  try {
    await migrate(cluster.url(), schemaSource(root));
    const client = new Client({ connectionString: cluster.url() });
    await client.connect();
    try {
      return {
        logins: await readLogins(client),
        published: await readPublished(client),
      };
    } finally {
      await client.end();
    }
  } finally {
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
