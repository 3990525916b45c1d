import 'reflect-metadata';
import { Type } from 'class-transformer';
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
} from 'class-validator';
import { IsPermissionRules } from './permission-rule';
import type { PermissionRule } from './stock-roles';

const LABEL = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

class DirectoryTenant {
  @Matches(LABEL)
  name!: string;

  /** A caller of an operations tenant reads across tenants. */
  @IsIn(['company', 'operations'])
  kind: 'company' | 'operations' = 'company';

  /** The given id; when absent, the first application makes one. */
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

/** The declarative directory: tenants, the issuers of their users' tokens, users, and roles. Decision E6. */
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
