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

/**
 * States of a row in the file: `active` enables it, `disabled` refuses it from the next request on, `removed` takes it
 * away. Without a state, a new row is active and an existing row stays as it is, since the API may have disabled it.
 */
export const DIRECTORY_STATES = ['active', 'disabled', 'removed'] as const;
export type DirectoryState = (typeof DIRECTORY_STATES)[number];

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

  /** `removed` is not one of them: a tenant's end is `npm run db -- delete-tenant`. */
  @IsOptional()
  @IsIn(['active', 'disabled'], {
    message: 'state must be active or disabled; npm run db -- delete-tenant removes a tenant',
  })
  state?: 'active' | 'disabled';
}

/** A tenant of a shared issuer's organisation, with its state. */
export interface DirectoryOrganization {
  tenant: string;
  state?: DirectoryState;
}

class DirectoryIssuer {
  @Matches(LABEL)
  name!: string;

  /** Exactly as the `iss` claim spells it. */
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['https', 'http'] })
  url!: string;

  /** The audience of its tokens, or several while an address changes: a token is believed for any of them. */
  @ValidateBy({
    name: 'isAudience',
    validator: {
      validate: (value: unknown) => isText(value) || isListOfTexts(value),
      defaultMessage: () =>
        'audience must be a text that is not empty, or a list of at least one of them, without repeats',
    },
  })
  audience!: string | string[];

  /** The one tenant of a single-tenant issuer. */
  @IsOptional()
  @IsString()
  tenant?: string;

  /** The claim that names the organisation, for a shared issuer. Rule F2. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  organizationClaim?: string;

  /** Organisation id to tenant name, or to `{tenant, state}`, for a shared issuer. */
  @IsOptional()
  @ValidateBy({
    name: 'isOrganizations',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.values(value).every(isOrganization),
      defaultMessage: () =>
        'organizations must map organisation ids to tenant names, or to {tenant, state} with a state of ' +
        DIRECTORY_STATES.join(', '),
    },
  })
  organizations?: Record<string, string | DirectoryOrganization>;

  @IsOptional()
  @IsIn(DIRECTORY_STATES)
  state?: DirectoryState;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isText) && new Set(value).size === value.length;

function isOrganization(value: unknown): boolean {
  if (typeof value === 'string') return true;
  if (typeof value !== 'object' || value === null) return false;
  const { tenant, state, ...others } = value as Record<string, unknown>;
  const states: readonly unknown[] = [undefined, ...DIRECTORY_STATES];
  return typeof tenant === 'string' && states.includes(state) && Object.keys(others).length === 0;
}

/** The organisations of an issuer in one shape. */
export function organizationsOf({
  organizations = {},
}: Pick<DirectoryIssuer, 'organizations'>): (DirectoryOrganization & { organization: string })[] {
  return Object.entries(organizations).map(([organization, entry]) =>
    typeof entry === 'string' ? { organization, tenant: entry } : { organization, ...entry },
  );
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

  @IsOptional()
  @IsIn(DIRECTORY_STATES)
  state?: DirectoryState;
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

/** The declarative directory: tenants, the issuers of their users' tokens, users, and roles. Rule E6. */
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
