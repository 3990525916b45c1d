import { Flag, ServiceConfig } from '@plat/service';
import { defaultVerifierConfig, embeddedVerifierConfig, type VerifierConfig } from '@plat/verifier';
import { IsBoolean, IsOptional, IsString } from 'class-validator';

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
}

export function verifierConfig({ VERIFIER_ALLOW_LOCAL }: ReviewsConfig): VerifierConfig {
  return VERIFIER_ALLOW_LOCAL ? embeddedVerifierConfig : defaultVerifierConfig;
}
