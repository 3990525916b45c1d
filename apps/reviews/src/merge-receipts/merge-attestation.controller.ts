import { Controller } from '@nestjs/common';
import { MergeAttestation } from '@plat/contracts/reviews';
import { type Caller, CurrentCaller, PathId, Route } from '@plat/service';
import { MergeAttestationService } from './merge-attestation.service';

@Controller()
export class MergeAttestationController {
  constructor(private readonly attestations: MergeAttestationService) {}

  @Route('getMergeAttestation', { response: MergeAttestation })
  get(@CurrentCaller() caller: Caller, @PathId('review_id') reviewId: string): Promise<MergeAttestation> {
    return this.attestations.get(caller, reviewId);
  }
}
