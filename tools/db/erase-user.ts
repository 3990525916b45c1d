import type { Client } from 'pg';
import {
  countErasable,
  type ErasableRows,
  eraseUser,
  findTenant,
  TenantFault,
  tenantNames,
  type TenantUser,
  usersOf,
  withoutOthers,
  withOwner,
} from '@plat/database';
import { nearest } from '@plat/local';
import { readOptions } from './arguments';
import type { DatabaseJob } from './commands';
import { UsageError } from './failure';

export const ERASE_USER_USAGE = `npm run db -- erase-user TENANT USER [--dry-run]
  erases the subject and arguments of a user, given by name or id, from the trail, and the salts of the user's entries from
  the sealed log; every proof stays valid. With --dry-run it counts, and changes nothing. May be run again, for rows that
  were added since.`;

const GOES = `goes: the user's subject, the arguments and the caller's own request ids in these rows, and the salts of these entries`;
const STAYS = `stays: the rows, with the user's id, time and route; the entries, and every proof of the sealed log
The erasure is itself an entry of the log, which names the erased entries and not the user.
Others may hold more: backups, exports of the trail, the directory, reviews and comments are not touched.`;

/** Erases a user's subject, arguments and salts, or prints how many rows and entries that would be. */
export async function runEraseUser({ ownerUrl, print }: DatabaseJob, args: string[]): Promise<void> {
  const { tenantName, userName, dry } = readErasure(args);
  await withOwner(ownerUrl, async (client) => {
    const tenant = await findExistingTenant(client, tenantName);
    const { userId, username } = await findExistingUser(client, tenant, userName);
    const title = `${username} (${userId}) of ${tenantName}`;
    if (dry) {
      print(`would erase ${countsOf(await countErasable(client, tenant, userId))}: ${title}`);
      return print(`${GOES}\n${STAYS}\nNothing was changed.`);
    }
    const erased = await withoutOthers(client, () => eraseUser(client, tenant, userId));
    print(`erased ${countsOf(erased)}: ${title}\n${GOES}\n${STAYS}`);
  });
}

function readErasure(args: string[]) {
  const options = { 'dry-run': { type: 'boolean' } } as const;
  const { positionals, values } = readOptions(args, { options, usage: ERASE_USER_USAGE });
  const [tenantName, userName, ...others] = positionals;
  if (tenantName === undefined || userName === undefined || others.length > 0) {
    throw new UsageError(ERASE_USER_USAGE);
  }
  return { tenantName, userName, dry: values['dry-run'] === true };
}

async function findExistingTenant(client: Client, name: string) {
  const found = await findTenant(client, name);
  if (found !== undefined) return found;
  throw new TenantFault(`There is no tenant ${quoted(name, await tenantNames(client))}`);
}

/** By id, else by name. */
async function findExistingUser(
  client: Client,
  tenant: Parameters<typeof usersOf>[1],
  named: string,
): Promise<TenantUser> {
  const users = await usersOf(client, tenant);
  const found =
    users.find(({ userId }) => userId === named.toLowerCase()) ??
    users.find(({ username }) => username === named);
  if (found !== undefined) return found;
  const known = users.map(({ username }) => username);
  throw new TenantFault(`${tenant.name} has no user ${quoted(named, known)}`);
}

/** A name that is none, with the one that may be meant. */
function quoted(name: string, known: string[]): string {
  const meant = nearest(name, known);
  return `${JSON.stringify(name)}.${meant === undefined ? '' : ` Is ${JSON.stringify(meant)} meant?`}`;
}

const countsOf = ({ rows, entries }: ErasableRows): string =>
  `${rows} rows of the trail, of which ${entries} are sealed`;
