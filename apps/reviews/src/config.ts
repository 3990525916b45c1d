import { statSync } from 'node:fs';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional, ValidateBy } from 'class-validator';
import { CertificateBundle, Flag, FromFile, ReadAtStart, Secret, ServiceConfig } from '@plat/service';
import {
  defaultVerifierConfig,
  embeddedVerifierConfig,
  NetworkFault,
  readNetworks,
  type VerifierConfig,
} from '@plat/verifier';
import { readPublicKeys, readSigningKey, type ReceiptKeys } from './merge-receipts/receipt-keys';

/** Configuration of the reviews service. By default it reads public remotes over https and nothing else. */
export class ReviewsConfig extends ServiceConfig {
  /** Allows plain http, loopback addresses and local directories: for a service on one person's machine. */
  @Flag()
  @IsBoolean()
  VERIFIER_ALLOW_LOCAL = false;

  /** The verifier's worker program, where it is not next to the running file. */
  @IsOptional()
  @ValidateBy({
    name: 'isFile',
    validator: {
      validate: (value) =>
        typeof value === 'string' && statSync(value, { throwIfNoEntry: false })?.isFile() === true,
      defaultMessage: () => 'VERIFIER_WORKER_FILE must be the path of a file',
    },
  })
  VERIFIER_WORKER_FILE?: string;

  /** Authorities of a git server's certificate, trusted besides the public ones. */
  @CertificateBundle()
  @ReadAtStart()
  REPOSITORY_CA?: string;

  /** Networks (CIDR) and `host:port` on which git servers are read besides public addresses, with commas between. */
  @IsOptional()
  @ValidateBy({
    name: 'areNetworks',
    validator: {
      validate: (value) => typeof value === 'string' && faultOfNetworks(value) === undefined,
      defaultMessage: (fault) => `REPOSITORY_NETWORKS: ${faultOfNetworks(String(fault?.value))}`,
    },
  })
  REPOSITORY_NETWORKS?: string;

  /**
   * The key that signs merge receipts: an Ed25519 private key, PKCS#8 in PEM. Newlines may be written as \\n. When
   * unset, the receipts' route answers NOT_IMPLEMENTED.
   */
  @IsOptional()
  @FromFile()
  @Transform(({ value }) =>
    typeof value === 'string' ? new Secret(unescapeNewlines(value)) : (value as unknown),
  )
  @ValidateBy({
    name: 'isSigningKey',
    validator: {
      validate: (value) => value instanceof Secret && isReadable(() => readSigningKey(value.reveal())),
      defaultMessage: () => 'MERGE_RECEIPT_KEY must be an Ed25519 private key, PKCS#8 in PEM',
    },
  })
  MERGE_RECEIPT_KEY?: Secret;

  /** Public keys that signed earlier receipts (SPKI in PEM, one after the other); never a private key. */
  @IsOptional()
  @FromFile()
  @Transform(({ value }) => (typeof value === 'string' ? unescapeNewlines(value) : (value as unknown)))
  @ValidateBy({
    name: 'arePublicKeys',
    validator: {
      validate: (value) => typeof value === 'string' && isReadable(() => readPublicKeys(value)),
      defaultMessage: () => 'MERGE_RECEIPT_FORMER_KEYS must be Ed25519 public keys, SPKI in PEM',
    },
  })
  MERGE_RECEIPT_FORMER_KEYS?: string;
}

/** The key that signs receipts, if there is one, and the public keys of those before it. */
type KeysOfReceipts = ConstructorParameters<typeof ReceiptKeys>;

export function receiptKeys({ MERGE_RECEIPT_KEY, MERGE_RECEIPT_FORMER_KEYS }: ReviewsConfig): KeysOfReceipts {
  return [
    MERGE_RECEIPT_KEY && readSigningKey(MERGE_RECEIPT_KEY.reveal()),
    MERGE_RECEIPT_FORMER_KEYS === undefined ? [] : readPublicKeys(MERGE_RECEIPT_FORMER_KEYS),
  ];
}

const unescapeNewlines = (text: string): string => text.replaceAll('\\n', '\n');

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

function faultOfNetworks(text: string): string | undefined {
  try {
    readNetworks(text);
    return undefined;
  } catch (error) {
    if (error instanceof NetworkFault) return error.message;
    throw error;
  }
}

export function verifierConfig(variables: ReviewsConfig): VerifierConfig {
  const { VERIFIER_ALLOW_LOCAL, REPOSITORY_CA, REPOSITORY_NETWORKS = '' } = variables;
  return {
    ...(VERIFIER_ALLOW_LOCAL ? embeddedVerifierConfig : defaultVerifierConfig),
    certificateAuthorities: REPOSITORY_CA === undefined ? undefined : [REPOSITORY_CA],
    allowedNetworks: readNetworks(REPOSITORY_NETWORKS),
  };
}
