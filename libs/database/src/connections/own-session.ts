import { Client } from 'pg';

/** Others that are looked for on the same server connection; a pooler takes the one that was used last. */
const LOOKS = 5;

/**
 * Refuses an address behind a pooler that gives a server connection to one client after the other. What migrations set
 * for their session, such as the patience for locks, would hold for requests of the services, and not for migrations.
 *
 * @throws Error naming what to do
 */
export async function requireOwnSession(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const own = await serverProcess(client);
    // PostgreSQL names its process when a client connects; a pooler names something else.
    const { processID } = client as Client & { processID?: number };
    if (processID === own) return;
    for (let look = 0; look < LOOKS; look++) {
      if (await isShared(ownerUrl, own)) throw new Error(IN_BETWEEN);
    }
  } finally {
    await client.end();
  }
}

const IN_BETWEEN =
  'DATABASE_URL names a pooler in transaction mode, through which no migration runs: what it sets for its session would ' +
  'reach the services. Name the database itself, or a pool in session mode; the services keep the address of the pooler. ' +
  'Nothing was done';

/** Whether another client gets the server connection, while the first one is still connected. */
async function isShared(ownerUrl: string, own: number): Promise<boolean> {
  const other = new Client({ connectionString: ownerUrl });
  await other.connect();
  try {
    return (await serverProcess(other)) === own;
  } finally {
    await other.end();
  }
}

async function serverProcess(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}
