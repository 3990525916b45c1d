import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspaceRoot } from '@plat/local';

/** The pages whose blocks are commands and files of an operator. */
export const OPERATORS_PAGES = ['docs/operations.md', 'deploy/README.md'] as const;

const RESTORE = 'apps/e2e/src/restore.peers.spec.ts';
const ROTATION = 'apps/e2e/src/rotation.peers.spec.ts';
const CHART = 'tools/deployment/chart/install.peers.spec.ts';
const IMAGES = 'tools/images/image.peers.spec.ts';
const PAGE = 'apps/e2e/src/operations-page.peers.spec.ts';
const FAILOVER = 'apps/e2e/src/failover-page.peers.spec.ts';
const MOVE = 'apps/e2e/src/move-page.peers.spec.ts';

/**
 * The spec that runs each block as it is printed, by page, language and name. Placeholders alone (`…`, `<name>`) are
 * filled in.
 */
export const RUN_BY: Readonly<Record<string, string>> = {
  'docs/operations.md sh images': IMAGES,
  'docs/operations.md sh push-image': IMAGES,
  'docs/operations.md sh provenance': IMAGES,
  'docs/operations.md sql owner': PAGE,
  'docs/operations.md sh secrets': CHART,
  'docs/operations.md yaml values': CHART,
  'docs/operations.md sh install': CHART,
  'docs/operations.md sql end': PAGE,
  'docs/operations.md sh repository': PAGE,
  'docs/operations.md sh directory': PAGE,
  'docs/operations.md yaml states': PAGE,
  'docs/operations.md yaml audiences': PAGE,
  'docs/operations.md sh users': PAGE,
  'docs/operations.md sh upgrade': CHART,
  'docs/operations.md sh rollback': CHART,
  'docs/operations.md sql backup': 'apps/e2e/src/backup-role.peers.spec.ts',
  'docs/operations.md sh role': RESTORE,
  'docs/operations.md sh dump': RESTORE,
  'docs/operations.md sh base': RESTORE,
  'docs/operations.md sh configuration': PAGE,
  'docs/operations.md sh restore': RESTORE,
  'docs/operations.md sql passwords': RESTORE,
  'docs/operations.md sh restored-by-owner': RESTORE,
  'docs/operations.md sh restored': RESTORE,
  'docs/operations.md sh archive': RESTORE,
  'docs/operations.md sh recover': RESTORE,
  'docs/operations.md sh recovered': RESTORE,
  'docs/operations.md sh former-checkpoints': PAGE,
  'docs/operations.md sh rotate-file': ROTATION,
  'docs/operations.md sh rotate-database': ROTATION,
  'docs/operations.md sh rotate-pooler': ROTATION,
  'docs/operations.md sql proof-key': PAGE,
  'docs/operations.md sh receipt-key': PAGE,
  'docs/operations.md sh ledger-key': PAGE,
  'docs/operations.md sh failover-pooler': FAILOVER,
  'docs/operations.md sh prune': RESTORE,
  'docs/operations.md sql hold': PAGE,
  'docs/operations.md sh verify': RESTORE,
  'docs/operations.md sh load': RESTORE,
  'docs/operations.md sh erase': PAGE,
  'docs/operations.md sh delete-tenant': PAGE,
  'docs/operations.md sql move-roles': MOVE,
  'docs/operations.md sh move-tenant': MOVE,
  'docs/operations.md sh move-finish': MOVE,
  'docs/operations.md sh move-cancel': MOVE,
  'docs/operations.md sql move-end': MOVE,
  'docs/operations.md sql open-transactions': PAGE,
  'deploy/README.md sh migrate': PAGE,
  'deploy/README.md yaml directory': PAGE,
};

/** The blocks of a page by their keys, in its order. @throws Error for a block without a name, or with another's */
export function blocksOf(page: string, text = readFileSync(join(workspaceRoot(), page), 'utf8')): string[] {
  const found: string[] = [];
  let isInside = false;
  for (const line of text.split('\n')) {
    const fence = /^ *```(.*)$/.exec(line);
    if (fence === null) continue;
    isInside = !isInside;
    if (!isInside) continue;
    const info = fence[1]!.trim();
    if (!/^[a-z]+ [a-z-]+$/.test(info)) throw new Error(`${page}: the block "${info}" has no name.`);
    const key = `${page} ${info}`;
    if (found.includes(key)) throw new Error(`${key} is there twice.`);
    found.push(key);
  }
  return found;
}

/** Whether a spec, or a file next to it that it imports, names the block as a text of its own. */
export function namesBlock(spec: string, name: string, seen = new Set<string>()): boolean {
  if (seen.has(spec)) return false;
  seen.add(spec);
  const text = readFileSync(join(workspaceRoot(), spec), 'utf8');
  if (text.includes(`'${name}'`)) return true;
  return importedBy(spec, text).some((file) => namesBlock(file, name, seen));
}

/** The files in the folder of a file, or below it, that the file imports. */
export function importedBy(file: string, text: string): string[] {
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => `${join(dirname(file), path!)}.ts`);
}
