import 'reflect-metadata';
import { plainToInstance, Type } from 'class-transformer';
import {
  ArrayUnique,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUrl,
  IsUUID,
  Matches,
  ValidateBy,
  ValidateNested,
  validateSync,
  type ValidationError,
} from 'class-validator';
import { parse } from 'yaml';
import { nameFaults } from './directory-names';
import { IsPermissionRules } from './permission-rule';
import type { PermissionRule } from './stock-roles';

const LABEL = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

class DirectoryTenant {
  @Matches(LABEL)
  name!: string;

  /** A caller of an operations tenant reads across tenants. */
  @IsIn(['company', 'operations'])
  kind: 'company' | 'operations' = 'company';

  /** Kept when given; made by the first application otherwise. */
  @IsOptional()
  @IsUUID()
  id?: string;
}

class DirectoryIssuer {
  @Matches(LABEL)
  name!: string;

  /** Exactly as the `iss` claim spells it. */
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['https', 'http'] })
  url!: string;

  @IsString()
  @IsNotEmpty()
  audience!: string;

  /** The one tenant of a single-tenant issuer. */
  @IsOptional()
  @IsString()
  tenant?: string;

  /** The claim that names the organisation, for a shared issuer. Decision F2. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  organizationClaim?: string;

  /** Organisation id to tenant name, for a shared issuer. */
  @IsOptional()
  @ValidateBy({
    name: 'isTextByText',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' &&
        value !== null &&
        Object.values(value).every((name) => typeof name === 'string'),
      defaultMessage: () => 'organizations must map organisation ids to tenant names',
    },
  })
  organizations?: Record<string, string>;
}

class DirectoryRole {
  @IsString()
  tenant!: string;

  @IsString()
  @IsNotEmpty()
  name!: string;

  @IsPermissionRules()
  permissions!: PermissionRule[];
}

class DirectoryUser {
  @IsString()
  tenant!: string;

  @IsString()
  @IsNotEmpty()
  username!: string;

  @IsString()
  issuer!: string;

  @IsString()
  @IsNotEmpty()
  subject!: string;

  @IsArray()
  @IsString({ each: true })
  @ArrayUnique()
  roles: string[] = [];

  @IsOptional()
  @IsUUID()
  id?: string;
}

class DirectoryEnvironment {
  @IsString()
  tenant!: string;

  @Matches(LABEL)
  name!: string;

  @IsIn(['local-agent', 'remote-agent', 'runtime'])
  type!: 'local-agent' | 'remote-agent' | 'runtime';

  @IsOptional()
  @IsUUID()
  id?: string;
}

/** The declarative directory: who the tenants are, who vouches for their users, and what those may do. Decision E6. */
export class Directory {
  @ValidateNested({ each: true })
  @Type(() => DirectoryTenant)
  tenants: DirectoryTenant[] = [];

  @ValidateNested({ each: true })
  @Type(() => DirectoryIssuer)
  issuers: DirectoryIssuer[] = [];

  @ValidateNested({ each: true })
  @Type(() => DirectoryRole)
  roles: DirectoryRole[] = [];

  @ValidateNested({ each: true })
  @Type(() => DirectoryUser)
  users: DirectoryUser[] = [];

  @ValidateNested({ each: true })
  @Type(() => DirectoryEnvironment)
  environments: DirectoryEnvironment[] = [];
}

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
  if (faults.length === 0) faults.push(...nameFaults(directory));
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
