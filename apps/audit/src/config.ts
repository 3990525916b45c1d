import { createPrivateKey, type KeyObject } from 'node:crypto';
import { Transform, Type } from 'class-transformer';
import { IsNumber, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import { FromFile, Secret, ServiceConfig } from '@plat/service';

/** An Ed25519 private key, PKCS#8 in PEM, given as text or as a file. Newlines may be written as \n. */
const SigningKey = (): PropertyDecorator => (target, property) => {
  const asSecret = Transform(({ value }) =>
    typeof value === 'string' ? new Secret(value.replaceAll('\\n', '\n')) : (value as unknown),
  );
  const validated = ValidateBy({
    name: 'isSigningKey',
    validator: {
      validate: (value) => value instanceof Secret && isReadable(value),
      defaultMessage: (fault) => `${fault?.property} must be an Ed25519 private key, PKCS#8 in PEM`,
    },
  });
  for (const decorate of [validated, asSecret, FromFile(), IsOptional()]) decorate(target, property);
};

/** Without `+` and white space, which no name of a key may have. */
const HOST = /^[a-z0-9]([a-z0-9.-]{0,198}[a-z0-9])?(:[0-9]{1,5})?$/;

/** Configuration of the audit service. */
export class AuditConfig extends ServiceConfig {
  /** The key that signs the checkpoints of sealed logs. If it is unset, nothing is sealed. */
  @SigningKey()
  LEDGER_KEY?: Secret;

  /** A second key that signs as well: the next one, or the one before, while keys are rotated. */
  @SigningKey()
  LEDGER_SECOND_KEY?: Secret;

  /** The host in the name of each new log; a log keeps the name that it has. Needed with LEDGER_KEY. */
  @ValidateBy({
    name: 'isLogHost',
    validator: {
      validate: (value, fault) =>
        typeof value === 'string'
          ? HOST.test(value)
          : (fault?.object as AuditConfig).LEDGER_KEY === undefined && value === undefined,
      defaultMessage: () => 'LEDGER_HOST must be the host of the platform, such as plat.example',
    },
  })
  LEDGER_HOST?: string;

  /** Age in seconds at which rows are sealed, if 256 have not come together before. */
  @Type(() => Number)
  @IsNumber()
  @Min(0)
  @Max(45)
  LEDGER_SEAL_SECONDS = 30;
}

/** The keys that sign logs, the first one first; none if nothing is sealed. */
export function ledgerKeys({ LEDGER_KEY, LEDGER_SECOND_KEY }: AuditConfig): KeyObject[] {
  if (LEDGER_KEY === undefined) return [];
  return [LEDGER_KEY, LEDGER_SECOND_KEY].flatMap((key) => (key === undefined ? [] : [read(key)]));
}

function read(pem: Secret): KeyObject {
  const key = createPrivateKey(pem.reveal());
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('no Ed25519 key');
  return key;
}

function isReadable(pem: Secret): boolean {
  try {
    read(pem);
    return true;
  } catch {
    return false;
  }
}
