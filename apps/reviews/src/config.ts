import { Flag, Secret, ServiceConfig } from '@plat/service';
import { defaultVerifierConfig, embeddedVerifierConfig, type VerifierConfig } from '@plat/verifier';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional, IsString, ValidateBy } from 'class-validator';
import { readPublicKeys, ReceiptKeys, readSigningKey } from './merge-receipts/receipt-keys';

/** Which remotes the merge queue may read beside public ones over https. Nothing else, unless a deployment says so. */
export class ReviewsConfig extends ServiceConfig {
  /** Plain http, loopback addresses and local directories: for a service on one person's machine. */
  @Flag()
  @IsBoolean()
  VERIFIER_ALLOW_LOCAL = false;

  /** The verifier's worker program, where it is not beside the running file. */
  @IsOptional()
  @IsString()
  VERIFIER_WORKER_FILE?: string;

  /**
   * Signs merge receipts: an Ed25519 private key, PKCS#8 in PEM, its newlines perhaps written as \\n. Unset: the
   * receipts' route answers NOT_IMPLEMENTED.
   */
  @IsOptional()
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

  /** Public keys (SPKI in PEM, one after the other) of which receipts may still be about; never a private one. */
  @IsOptional()
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

export function receiptKeys({ MERGE_RECEIPT_KEY, MERGE_RECEIPT_FORMER_KEYS }: ReviewsConfig): ReceiptKeys {
  return new ReceiptKeys(
    MERGE_RECEIPT_KEY && readSigningKey(MERGE_RECEIPT_KEY.reveal()),
    MERGE_RECEIPT_FORMER_KEYS === undefined ? [] : readPublicKeys(MERGE_RECEIPT_FORMER_KEYS),
  );
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

export function verifierConfig({ VERIFIER_ALLOW_LOCAL }: ReviewsConfig): VerifierConfig {
  return VERIFIER_ALLOW_LOCAL ? embeddedVerifierConfig : defaultVerifierConfig;
}
