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
import { Secret } from './secret';

/** The settings of a process are invalid. The message lists every fault, by variable. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

/** true and false as environment variables spell them. */
export const Flag = (): PropertyDecorator =>
  Transform(({ value }) => ({ true: true, false: false })[String(value)] ?? (value as unknown));

const DATABASE_URL = /^postgres(ql)?:\/\/[^/]+\/.+/;

/** What every service reads from its environment; property names are the variables' names. */
export class ServiceConfig {
  /** postgres://login:password@host:port/database of this service's own login role. */
  @Transform(({ value }) => (typeof value === 'string' ? new Secret(value) : (value as unknown)))
  @ValidateBy({
    name: 'isDatabaseUrl',
    validator: {
      validate: (value) =>
        value instanceof Secret && DATABASE_URL.test(value.reveal()) && URL.canParse(value.reveal()),
      defaultMessage: () => 'DATABASE_URL must be postgres://login:password@host:port/database',
    },
  })
  DATABASE_URL!: Secret;

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

  /** false behind a pooler in transaction mode that is older than PgBouncer 1.21. */
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
 * Reads a configuration class from an environment; an empty variable counts as unset.
 *
 * @throws ConfigError with every fault at once; a secret's value is never part of it
 */
export function readConfig<Config extends object>(
  shape: new () => Config,
  environment: Record<string, string | undefined> = process.env,
): Config {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  const config = plainToInstance(shape, Object.fromEntries(given));
  const faults = validateSync(config, { skipMissingProperties: false }).map(
    ({ property, value, constraints }) =>
      value === undefined ? `${property} is not set` : Object.values(constraints ?? {}).join(', '),
  );
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}
