import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  type BuiltTile,
  bundlesOf,
  canonicalJson,
  commitment,
  consistencyProof,
  encodeEntries,
  EntryRanges,
  formatCheckpoint,
  formatDisclosure,
  formatLeaf,
  formatVerifierKey,
  leafHash,
  type LeafKind,
  logPath,
  signNote,
  TILE_WIDTH,
  TileBuilder,
  verifierKeyOf,
} from '@plat/ledger';
import { Random } from '@plat/testing';
import type { PlatformDouble, SeenRequest } from './platform-double';

/** The tenant of a test's log. */
export const LOG_TENANT = '0198f2a4-1111-7c3e-9d0b-5b1f0c9a2e11';
const REASONS = ['person', 'retention'];

/** An entry with all that was committed; `shown` is false once its fields are erased. */
export interface TestEntry {
  leaf: Buffer;
  kind: LeafKind;
  id: string;
  salt: Buffer;
  fields: string;
  shown: boolean;
}

/** The pair of keys that the logs of one test sign with, unless they are given another. */
export const logKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

/** A tenant's sealed log, as the platform keeps it. The same seed gives the same entries. */
export class SealedLog {
  readonly origin = `plat.test/log/${LOG_TENANT}`;
  readonly entries: TestEntry[] = [];
  signers: KeyObject[];
  private readonly random: Random;

  constructor({ seed = 1, key = logKey() }: { seed?: number; key?: KeyObject } = {}) {
    this.random = new Random(seed);
    this.signers = [key];
    this.addKey(key);
  }

  get size(): number {
    return this.entries.length;
  }

  /** What `--key` takes. */
  get verifierKey(): string {
    return this.keyText(this.signers[0]!);
  }

  keyText(key: KeyObject): string {
    return formatVerifierKey(verifierKeyOf(this.origin, key));
  }

  /** Adds a row of the trail. */
  addAudit(fields: object = {}): void {
    const id = this.id();
    const at = this.instant();
    const row = {
      auditEventId: id,
      tenantId: LOG_TENANT,
      type: 'API',
      apiPath: '/v1/reviews',
      createdAt: at,
    };
    this.add('audit', { id, at, fields: { ...row, ...fields } });
  }

  addLanding(reviewId = this.id(), contentVerdict = 'EXACT'): void {
    this.add('landing', { id: reviewId, fields: { reviewId, tenantId: LOG_TENANT, contentVerdict } });
  }

  addKey(key: KeyObject): void {
    const publicKey = verifierKeyOf(this.origin, key).publicKey.toString('base64');
    this.add('key', { fields: { algorithm: 'Ed25519', publicKey } });
  }

  /** Erases the fields of entries, and says so by an entry. */
  erase(indexes: readonly number[]): void {
    for (const index of indexes) this.entries[index]!.shown = false;
    this.addErasure(EntryRanges.of(indexes).toString());
  }

  addErasure(entries: string): void {
    this.add('erasure', { fields: { entries, reason: this.random.pick(REASONS) } });
  }

  /** Adds an entry as it is told, even one that no platform makes. */
  add(kind: LeafKind, given: { fields: object; id?: string; at?: string }): void {
    const { id = this.id(), at = this.instant() } = given;
    const salt = this.bytes(16);
    const fields = canonicalJson(given.fields);
    const leaf = formatLeaf({ kind, id, at, open: commitment(salt, fields), closed: this.bytes(32) });
    this.entries.push({ leaf, kind, id, salt, fields, shown: true });
  }

  grow(count: number): this {
    for (let added = 0; added < count; added += 1) this.addAudit();
    return this;
  }

  /** The signed checkpoint of the first `size` entries. */
  checkpoint(size = this.size, signers = this.signers): string {
    const rootHash = this.tree(size).rootHash;
    const text = formatCheckpoint({ origin: this.origin, size, rootHash });
    return signNote(
      text,
      signers.map((privateKey) => ({ name: this.origin, privateKey })),
    );
  }

  /** The files of an export by their paths. */
  files(size = this.size): Map<string, Buffer> {
    const files = new Map<string, Buffer>([['checkpoint', Buffer.from(this.checkpoint(size))]]);
    for (const tile of this.tree(size).tiles) files.set(logPath({ kind: 'tile', ...tile }), tile.hashes);
    for (const bundle of bundlesOf(size)) {
      const first = bundle.index * TILE_WIDTH;
      const entries = this.entries.slice(first, first + bundle.width);
      const lines = entries.map(
        (entry, at) => `${formatDisclosure({ index: first + at, shown: entry.shown ? entry : undefined })}\n`,
      );
      files.set(logPath({ kind: 'entries', ...bundle }), encodeEntries(entries.map(({ leaf }) => leaf)));
      files.set(logPath({ kind: 'disclosed', ...bundle }), Buffer.from(lines.join('')));
    }
    return files;
  }

  tree(size = this.size): { rootHash: Buffer; tiles: BuiltTile[] } {
    const builder = new TileBuilder();
    const tiles = this.entries.slice(0, size).flatMap(({ leaf }) => [...builder.append(leafHash(leaf))]);
    return { rootHash: builder.root(), tiles: [...tiles, ...builder.partialTiles()] };
  }

  /** Answers the routes of the log with what it has when it is asked. */
  serve(platform: PlatformDouble): void {
    const query = ({ url }: SeenRequest) => Object.fromEntries(new URL(url, 'http://x').searchParams);
    platform.answer('GET /v1/audit-log/checkpoint', () => ({ body: this.answeredCheckpoint() }));
    platform.answer('GET /v1/audit-log/keys', () => ({ body: this.answeredKeys() }));
    platform.answer('GET /v1/audit-log/entries', (request) => ({ body: this.answeredPage(query(request)) }));
    platform.answer('GET /v1/audit-log/consistency-proof', async (request) => {
      const { from, to = this.size } = query(request);
      if (Number(to) > this.size) {
        return { status: 400, body: { code: 'INVALID_QUERY', message: 'No such size.' } };
      }
      return { body: await this.consistency(Number(from), Number(to)) };
    });
  }

  private answeredCheckpoint(): object {
    const rootHash = this.tree().rootHash.toString('base64');
    return { origin: this.origin, size: this.size, rootHash, checkpoint: this.checkpoint() };
  }

  private answeredKeys(): object {
    const keys = this.signers.map((key) => ({ verifierKey: this.keyText(key), signs: true }));
    return { origin: this.origin, keys };
  }

  private answeredPage(query: Record<string, string>): object {
    const first = Number(query.from ?? 0);
    const last = Math.min(first + Number(query.limit ?? 256), this.size);
    const entries = this.entries.slice(first, last).map(({ leaf, salt, fields, shown }, at) => ({
      index: first + at,
      leaf: leaf.toString(),
      salt: shown ? salt.toString('base64') : undefined,
      fields: shown ? fields : undefined,
    }));
    return { entries, nextFrom: last < this.size ? last : undefined };
  }

  /** RFC 6962 proof, as the route answers it. */
  async consistency(from: number, to: number): Promise<object> {
    const { tiles } = this.tree(to);
    const hashes = await consistencyProof({ from, to }, (wanted) =>
      Promise.resolve(
        wanted.map(({ level, index }) => tiles.find((t) => t.level === level && t.index === index)!.hashes),
      ),
    );
    return { from, to, hashes: hashes.map((hash) => hash.toString('base64')) };
  }

  private id(): string {
    const hex = this.bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  private instant(): string {
    const micros = String(Math.floor(this.random.next() * 1e6)).padStart(6, '0');
    return `2026-11-25T11:00:00.${micros}Z`;
  }

  private bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => Math.floor(this.random.next() * 256)));
  }
}
