import 'reflect-metadata';
import { plainToInstance, Type } from 'class-transformer';
import {
  ArrayUnique,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  IsUUID,
  Matches,
  ValidateNested,
  validateSync,
  type ValidationError,
} from 'class-validator';
import { parse } from 'yaml';
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
  @IsObject()
  organizations?: Record<string, string>;
}

class DirectoryRole {
  @IsString()
  tenant!: string;

  @IsString()
  @IsNotEmpty()
  name!: string;

  @IsArray()
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
  if (faults.length === 0) faults.push(...danglingNames(directory));
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

/** Names that refer to nothing, and issuers that resolve a tenant in no way or in two. */
function danglingNames({ tenants, issuers, roles, users, environments }: Directory): string[] {
  const tenantNames = new Set(tenants.map(({ name }) => name));
  const issuerNames = new Set(issuers.map(({ name }) => name));
  const faults: string[] = [];
  const expectTenant = (tenant: string, place: string) => {
    if (!tenantNames.has(tenant))
      faults.push(`${place} names the tenant ${tenant}, which the file does not declare`);
  };
  for (const issuer of issuers) {
    const place = `issuer ${issuer.name}`;
    if ((issuer.tenant === undefined) === (issuer.organizationClaim === undefined)) {
      faults.push(`${place} must have either a tenant or an organizationClaim`);
    }
    if (issuer.tenant !== undefined) expectTenant(issuer.tenant, place);
    for (const tenant of Object.values(issuer.organizations ?? {})) expectTenant(tenant, place);
  }
  for (const role of roles) expectTenant(role.tenant, `role ${role.name}`);
  for (const environment of environments) expectTenant(environment.tenant, `environment ${environment.name}`);
  for (const user of users) {
    expectTenant(user.tenant, `user ${user.username}`);
    if (!issuerNames.has(user.issuer)) {
      faults.push(`user ${user.username} names the issuer ${user.issuer}, which the file does not declare`);
    }
  }
  return faults;
}
