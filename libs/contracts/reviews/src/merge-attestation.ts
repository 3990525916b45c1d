import { IN_TOTO_TYPE } from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';

/**
 * A signature of an envelope. It names no key: the usual verifiers refuse a key id that is not their own fingerprint of
 * the key.
 */
export class EnvelopeSignature {
  @Field(rules.filterText(128), {
    description: "Ed25519 signature over DSSE's encoding of type and payload, base64",
  })
  sig!: string;
}

/** A signed in-toto statement: a DSSE envelope. */
export class AttestationEnvelope {
  @Field(rules.oneOf([IN_TOTO_TYPE]), { description: 'Type of the payload' })
  payloadType!: typeof IN_TOTO_TYPE;

  @Field(rules.filterText(65_536), { description: 'The in-toto statement, JSON in base64' })
  payload!: string;

  @Field(rules.listOfShape(EnvelopeSignature), { description: 'One signature, by the key of receipts' })
  signatures!: EnvelopeSignature[];
}

/** The attestations of a merge. */
export class MergeAttestation {
  @Field(rules.shape(AttestationEnvelope), {
    description:
      'The receipt: its subject is the landed commit, its predicate urn:plat:merge-receipt:1 the merge statement, field by field',
  })
  receipt!: AttestationEnvelope;

  @Field(rules.shape(AttestationEnvelope), {
    description:
      "SLSA's verification summary of the landed commit for the source track; absent unless the content is EXACT or " +
      'SAME_CHANGE and the remote has a URI',
    optional: true,
  })
  summary?: AttestationEnvelope;
}
