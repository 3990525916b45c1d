import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { parse } from 'yaml';
import { Directory } from './directory';
import { findNameFaults } from './directory-names';

/** A directory file that cannot be applied; the message lists every fault. */
export class DirectoryError extends Error {
  constructor(readonly faults: string[]) {
    super(`The directory file cannot be applied:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

/**
 * Reads a directory file.
 *
 * @throws DirectoryError with every fault at once
 */
export function parseDirectory(yamlText: string): Directory {
  const plain: unknown = readYaml(yamlText);
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) {
    throw new DirectoryError(['it must be a mapping with tenants, issuers, roles, users and environments']);
  }
  const directory = plainToInstance(Directory, plain);
  const faults = describe(
    validateSync(directory, { forbidUnknownValues: true, whitelist: true, forbidNonWhitelisted: true }),
  );
  if (faults.length === 0) faults.push(...findNameFaults(directory));
  if (faults.length > 0) throw new DirectoryError(faults);
  return directory;
}

function readYaml(yamlText: string): unknown {
  try {
    return parse(yamlText);
  } catch (error) {
    throw new DirectoryError([error instanceof Error ? error.message : String(error)]);
  }
}

function describe(errors: ValidationError[], place = ''): string[] {
  return errors.flatMap((error) => [
    ...Object.values(error.constraints ?? {}).map((message) => `${place}${message}`),
    ...describe(error.children ?? [], `${place}${error.property}: `),
  ]);
}
