import { X509Certificate } from 'node:crypto';
import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateBy,
  validateSync,
} from 'class-validator';
import { FromFile, withFiles } from './config-files';
import { Secret } from './secret';

/** The settings of a process are invalid. The message lists every fault, by variable. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

/** The variables of a process. */
export type Environment = Record<string, string | undefined>;

export const ownEnvironment = (): Environment => process.env;

/** true and false as environment variables spell them. */
export const Flag = (): PropertyDecorator =>
  Transform(({ value }) => ({ true: true, false: false })[String(value)] ?? (value as unknown));

/** A secret, which prints as *** and may be given as a file. */
export const SecretText = (): PropertyDecorator => (target, property) => {
  const asSecret = Transform(({ value }) =>
    typeof value === 'string' ? new Secret(value) : (value as unknown),
  );
  for (const decorate of [asSecret, FromFile()]) decorate(target, property);
};

/** A bundle of certificates in PEM, given as text or as a file. */
export const CertificateBundle = (): PropertyDecorator => (target, property) => {
  const validated = ValidateBy({
    name: 'areCertificates',
    validator: {
      validate: (value) => typeof value === 'string' && areCertificates(value),
      defaultMessage: (fault) => `${fault?.property} must be certificates in PEM`,
    },
  });
  for (const decorate of [validated, FromFile(), IsOptional()]) decorate(target, property);
};

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function areCertificates(text: string): boolean {
  const found = text.match(CERTIFICATE) ?? [];
  try {
    return found.length > 0 && found.every((pem) => new X509Certificate(pem) !== undefined);
  } catch {
    return false;
  }
}

/** Parameters of a URL that would take the place of DATABASE_CA. */
const TLS_PARAMETERS = /[?&]ssl/;
const urlOf = ({ DATABASE_URL: url }: ServiceConfig): string => (url instanceof Secret ? url.reveal() : '');

const DATABASE_URL = /^postgres(ql)?:\/\/[^/]+\/.+/;

/** The settings that every service reads from its environment; property names are the variables' names. */
export class ServiceConfig {
  /** postgres://login:password@host:port/database of this service's own login role. */
  @SecretText()
  @ValidateBy({
    name: 'isDatabaseUrl',
    validator: {
      validate: (value) =>
        value instanceof Secret && DATABASE_URL.test(value.reveal()) && URL.canParse(value.reveal()),
      defaultMessage: () => 'DATABASE_URL must be postgres://login:password@host:port/database',
    },
  })
  DATABASE_URL!: Secret;

  /**
   * Authorities of the database's certificate. If set, connections are TLS, and the certificate must be theirs and name
   * the host of DATABASE_URL, as libpq's `verify-full`.
   */
  @CertificateBundle()
  @ValidateBy({
    name: 'isAlone',
    validator: {
      validate: (_value, fault) => !TLS_PARAMETERS.test(urlOf(fault?.object as ServiceConfig)),
      defaultMessage: () =>
        'DATABASE_URL must have no sslmode, sslrootcert or ssl, because DATABASE_CA decides',
    },
  })
  DATABASE_CA?: string;

  @IsString()
  HOST = '0.0.0.0';

  /** 0 takes any free port. */
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(65_535)
  PORT = 8080;

  /** Connections for requests; reads by key share two more, and the audit trail has one of its own. */
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  DATABASE_POOL_SIZE = 4;

  /** false behind a pooler in transaction mode that keeps no named statements, such as PgBouncer before 1.21. */
  @Flag()
  @IsBoolean()
  DATABASE_PREPARED_STATEMENTS = true;

  /** Allows issuers on plain http; for one machine only. */
  @Flag()
  @IsBoolean()
  ALLOW_HTTP_ISSUERS = false;

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
  LOG_LEVEL = 'info';

  /** Seconds after a signal in which /readyz fails and requests are still served, so that the edge can notice. */
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(600)
  DRAIN_SECONDS = 5;

  /** Seconds that requests in flight have after that. */
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(600)
  SHUTDOWN_SECONDS = 20;

  @IsOptional()
  @IsString()
  VERSION?: string;
}

/**
 * Faults of a configuration that replaces the present one while the process runs. The rights of a login are examined at
 * the start alone, so no other login may take its place.
 */
export function changedLoginFaults(present: ServiceConfig, fresh: ServiceConfig): string[] {
  const [login, other] = [present, fresh].map((config) => new URL(urlOf(config)).username);
  return other === login
    ? []
    : [`DATABASE_URL has the login ${other}, and this process has started as ${login}`];
}

/**
 * Reads a configuration class from an environment; an empty variable counts as unset.
 *
 * @throws ConfigError with every fault at once; a secret's value is never part of it
 */
export function readConfig<Config extends object>(
  shape: new () => Config,
  environment = ownEnvironment(),
): Config {
  const { values, faults } = withFiles(shape, environment);
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const config = plainToInstance(shape, Object.fromEntries(given));
  const unread = new Set(faults.map(({ name }) => name));
  const invalid = validateSync(config, { skipMissingProperties: false })
    .filter(({ property }) => !unread.has(property))
    .map(({ property, value, constraints }) =>
      value === undefined ? `${property} is not set` : Object.values(constraints ?? {}).join(', '),
    );
  const all = [...faults.map(({ fault }) => fault), ...invalid];
  if (all.length > 0) throw new ConfigError(all);
  return config;
}
