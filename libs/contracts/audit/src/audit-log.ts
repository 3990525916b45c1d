import { LEAF_KINDS, type LeafKind } from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';

/** The state of the tenant's log that is signed. */
export class AuditLogCheckpoint {
  @Field(rules.filterText(255), {
    description: 'Name of the log, and of its keys: `<host>/log/<tenantId>`',
    example: 'plat.example/log/0190a0b0-c0d0-7000-8000-000000000001',
  })
  origin!: string;

  @Field(rules.integer, { description: 'How many entries it has', example: 4711 })
  size!: number;

  @Field(rules.filterText(44), { description: 'RFC 6962 root of its Merkle tree, base64' })
  rootHash!: string;

  @Field(rules.filterText(2048), {
    description: 'Origin, size and root as a signed note (C2SP signed-note and tlog-checkpoint)',
  })
  checkpoint!: string;

  @Field(rules.instant, { description: 'When the last of its entries was sealed, RFC 3339 UTC' })
  sealedAt!: string;
}

/** A public key of the tenant's log. */
export class AuditLogKey {
  @Field(rules.filterText(512), { description: 'The key as a verifier of signed notes takes it (C2SP vkey)' })
  verifierKey!: string;

  @Field(rules.filterText(44), { description: 'The Ed25519 key itself, base64' })
  publicKey!: string;

  @Field(rules.boolean, { description: 'Whether it signs checkpoints now' })
  signs!: boolean;
}

/** The keys of the tenant's log: the signing key first, then those before it. */
export class AuditLogKeySet {
  @Field(rules.filterText(255), { description: 'Name of the log' })
  origin!: string;

  @Field(rules.listOfShape(AuditLogKey), { description: 'The signing keys first, then the newest first' })
  keys!: AuditLogKey[];
}

/** One entry of the tenant's log, and what it commits to. */
export class AuditLogEntry {
  @Field(rules.integer, { description: 'Its place in the log, from 0' })
  index!: number;

  @Field(rules.filterText(1024), {
    description: 'The entry, byte for byte: canonical JSON with kind, id, time and two commitments',
  })
  leaf!: string;

  @Field(rules.filterText(24), {
    description: 'Salt of the commitment `open`, base64; absent if the fields were erased',
    optional: true,
  })
  salt?: string;

  @Field(rules.filterText(1_048_576), {
    description: 'The committed fields, byte for byte: canonical JSON; absent if they were erased',
    optional: true,
  })
  fields?: string;
}

/** A page of the entries of the tenant's log, oldest first. */
export class AuditLogEntryPage {
  @Field(rules.listOfShape(AuditLogEntry), { description: 'Oldest first' })
  entries!: AuditLogEntry[];

  @Field(rules.integer, { description: '`from` of the next page; absent on the last one', optional: true })
  nextFrom?: number;
}

/** Query of GET /v1/audit-log/entries. */
export class AuditLogEntryQuery {
  @Field(rules.integerText, { description: 'Index of the first entry; 0 unless given', optional: true })
  from?: string;

  @Field(rules.integerText, { description: 'Entries a page: 256 unless given, 1024 at most', optional: true })
  limit?: string;

  @Field(rules.oneOf(LEAF_KINDS), { description: 'Entries of this kind only', optional: true })
  kind?: LeafKind;
}

/** Hashes of one tile of the tenant's log. */
export class AuditLogTile {
  @Field(rules.filterText(16_384), { description: 'The hashes, one after the other, base64' })
  hashes!: string;
}

/** Query of GET /v1/audit-log/tile. */
export class AuditLogTileQuery {
  @Field(rules.integerText, { description: 'Level of the tile; 0 has the hashes of the entries' })
  level!: string;

  @Field(rules.integerText, { description: 'Place of the tile in its level, from 0' })
  index!: string;

  @Field(rules.integerText, { description: 'How many of its hashes: 256 unless given', optional: true })
  width?: string;
}

/** Proof that an entry is in the log of a size. */
export class AuditLogInclusionProof extends AuditLogEntry {
  @Field(rules.integer, { description: 'Size of the log that the proof is about' })
  size!: number;

  @Field(rules.texts, { description: 'RFC 6962 audit path, base64, from the entry upwards' })
  hashes!: string[];

  @Field(rules.filterText(2048), {
    description: 'The signed checkpoint of that size; absent if the request named a size',
    optional: true,
  })
  checkpoint?: string;
}

/** Query of GET /v1/audit-log/inclusion-proof: exactly one of index, auditEventId and reviewId. */
export class AuditLogInclusionProofQuery {
  @Field(rules.integerText, { description: 'The entry by its index', optional: true })
  index?: string;

  @Field(rules.id, { description: 'The entry of this row of the trail', optional: true })
  auditEventId?: string;

  @Field(rules.id, { description: 'The newest entry of the landing of this review', optional: true })
  reviewId?: string;

  @Field(rules.integerText, { description: 'Size of the log; the signed one unless given', optional: true })
  size?: string;
}

/** Proof that the log of a size begins with the log of a smaller one. */
export class AuditLogConsistencyProof {
  @Field(rules.integer, { description: 'The smaller size' })
  from!: number;

  @Field(rules.integer, { description: 'The larger size' })
  to!: number;

  @Field(rules.texts, { description: 'RFC 6962 consistency proof, base64' })
  hashes!: string[];
}

/** Query of GET /v1/audit-log/consistency-proof. */
export class AuditLogConsistencyProofQuery {
  @Field(rules.integerText, { description: 'The smaller size, at least 1' })
  from!: string;

  @Field(rules.integerText, { description: 'The larger size; the signed one unless given', optional: true })
  to?: string;
}
