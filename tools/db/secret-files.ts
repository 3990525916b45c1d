import { BACKUP_ROLE, LOGIN_ROLES } from '@plat/database';
import { readValueFile } from '@plat/local';
import { passwordVariable } from './login-passwords';

type Environment = Record<string, string | undefined>;

/** Variables of the commands that are secrets. */
const SECRETS = [
  'DATABASE_URL',
  'TARGET_DATABASE_URL',
  'REPLICATION_URL',
  ...[...Object.values(LOGIN_ROLES), BACKUP_ROLE].map(passwordVariable),
];

/**
 * An environment in which each secret `X` that is given as `X_FILE`, the path of a file, has the file's content.
 *
 * @throws Error with every fault; nothing of a file's content is in it
 */
export function withSecretFiles(environment: Environment): Environment {
  const faults: string[] = [];
  const read = SECRETS.flatMap((name): [string, string][] => {
    const path = environment[`${name}_FILE`];
    if (!path) return [];
    if (environment[name]) faults.push(`${name} and ${name}_FILE are both set: keep one of them`);
    try {
      return [[name, readValueFile(path)]];
    } catch (error) {
      faults.push(`${name}_FILE: ${path} ${(error as Error).message}`);
      return [];
    }
  });
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return { ...environment, ...Object.fromEntries(read) };
}
