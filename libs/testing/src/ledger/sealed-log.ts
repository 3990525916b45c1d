import { generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type BuiltTile,
  bundlesOf,
  canonicalJson,
  commitment,
  encodeEntries,
  EntryRanges,
  formatCheckpoint,
  formatDisclosure,
  formatLeaf,
  formatVerifierKey,
  HASH_BYTES,
  leafHash,
  type LeafKind,
  logPath,
  publicKeyBytes,
  SALT_BYTES,
  signNote,
  TILE_WIDTH,
  TileBuilder,
  type TileReader,
  verifierKeyOf,
} from '@plat/ledger';

/** An entry of a log: its bytes and, unless they were erased, the fields that it commits to, with their salt. */
export interface SealedEntry {
  leaf: Buffer;
  shown?: { salt: Buffer; fields: string };
}

/** The files of an exported log by path, `checkpoint` the last. */
export type LogFiles = Map<string, Buffer>;

/** A moment of a log, and the keys that sign it then; the whole log and its first key unless given. */
export interface SealedMoment {
  size?: number;
  keys?: readonly KeyObject[];
}

/** Midnight of the day when the first entry was made; each later one is a microsecond younger. */
const DAY = '2026-11-25T00:';

/**
 * A tenant's log as the service seals it, without a service. A spec that alters a log changes `entries` before it asks
 * for files, or the files afterwards.
 */
export class SealedLog {
  /** In the order of the log. The first is the leaf of the first key. */
  readonly entries: SealedEntry[] = [];
  /** The tenant's, as the origin names it. */
  readonly tenantId: string;
  /** Signs checkpoints unless others are named. */
  readonly key: KeyObject;

  /** @param origin of the form `<host>/log/<tenant id>` */
  constructor(readonly origin = `plat.example/log/${randomUUID()}`) {
    this.tenantId = origin.split('/').at(-1)!;
    this.key = this.addKey();
  }

  get size(): number {
    return this.entries.length;
  }

  /** Returns the key that a verifier of the log is given: the first key's text, unless another key is named. */
  verifierKey(key: KeyObject = this.key): string {
    return formatVerifierKey(verifierKeyOf(this.origin, key));
  }

  /** A new key and its leaf. */
  addKey(): KeyObject {
    const { privateKey } = generateKeyPairSync('ed25519');
    const publicKey = publicKeyBytes(privateKey).toString('base64');
    this.seal('key', randomUUID(), { algorithm: 'Ed25519', publicKey });
    return privateKey;
  }

  /**
   * Audit rows of calls to GET /v1/reviews.
   *
   * @returns the index of the first
   */
  addAudit(count = 1): number {
    const first = this.size;
    for (let row = 0; row < count; row += 1) {
      const auditEventId = randomUUID();
      this.seal('audit', auditEventId, {
        auditEventId,
        tenantId: this.tenantId,
        erunUserId: '0190aaaa-0000-7000-8000-000000000001',
        externalUserId: 'alice',
        externalIssuerId: 'https://issuer.example',
        type: 'API',
        apiMethod: 'GET',
        apiPath: '/v1/reviews',
        createdAt: this.shownNow(),
      });
    }
    return first;
  }

  /**
   * A landing, by the statement of its receipt.
   *
   * @param statement replaces fields of the usual one
   * @returns its index
   */
  addLanding(statement: { reviewId?: string } & Record<string, unknown> = {}): number {
    const reviewId = statement.reviewId ?? randomUUID();
    return this.seal('landing', reviewId, {
      statementVersion: 1,
      tenantId: this.tenantId,
      reviewId,
      name: 'Größe „geprüft“ 🦉',
      remoteUrl: 'https://git.example/shop.git',
      sourceBranch: 'topic',
      targetBranch: 'main',
      route: 'queue',
      conditions: ['A1', 'A2'],
      targetTip: '1'.repeat(40),
      commitId: '1'.repeat(40),
      contentVerdict: 'EXACT',
      verifiedAt: this.shownNow(),
      ...statement,
    });
  }

  /**
   * Erases the fields of entries, ascending, and seals an erasure that names them.
   *
   * @returns the index of the erasure
   */
  erase(indexes: readonly number[], reason: 'person' | 'retention' = 'person'): number {
    for (const index of indexes) this.entries[index] = { leaf: this.entries[index]!.leaf };
    return this.seal('erasure', randomUUID(), { entries: EntryRanges.of(indexes).toString(), reason });
  }

  /**
   * Seals an entry with any fields.
   *
   * @returns its index
   */
  seal(kind: LeafKind, id: string, fields: object): number {
    const salt = randomBytes(SALT_BYTES);
    const text = canonicalJson(fields);
    const [open, closed] = [commitment(salt, text), commitment(randomBytes(SALT_BYTES), '{}')];
    const leaf = formatLeaf({ kind, id, at: this.now(), open, closed });
    return this.entries.push({ leaf, shown: { salt, fields: text } }) - 1;
  }

  /** The signed checkpoint. */
  checkpoint(moment: SealedMoment = {}): string {
    return this.sign(this.build(moment).root(), moment);
  }

  /** The root, 32 bytes. */
  root(size = this.size): Buffer {
    return this.build({ size }).root();
  }

  /** Reads the tiles of the whole log. */
  reader(): TileReader {
    const files = this.files();
    const contents = new Map([...files].map(([path, content]) => [path.replace(/\.p\/\d+$/, ''), content]));
    return (tiles) =>
      Promise.resolve(
        tiles.map((tile) => {
          const path = logPath({ kind: 'tile', ...tile, width: TILE_WIDTH });
          return contents.get(path)!.subarray(0, tile.width * HASH_BYTES);
        }),
      );
  }

  /** The files of its export. */
  files(moment: SealedMoment = {}): LogFiles {
    const files: LogFiles = new Map();
    const size = moment.size ?? this.size;
    for (const bundle of bundlesOf(size)) {
      const start = bundle.index * TILE_WIDTH;
      const entries = this.entries.slice(start, start + bundle.width);
      const lines = entries.map(({ shown }, at) => `${formatDisclosure({ index: start + at, shown })}\n`);
      files.set(logPath({ kind: 'entries', ...bundle }), encodeEntries(entries.map(({ leaf }) => leaf)));
      files.set(logPath({ kind: 'disclosed', ...bundle }), Buffer.from(lines.join('')));
    }
    const builder = this.build({ size }, (path, hashes) => files.set(path, hashes));
    files.set('checkpoint', Buffer.from(this.sign(builder.root(), moment)));
    return files;
  }

  /** Appends the entries to an empty log and passes each tile on. */
  private build(
    { size = this.size }: SealedMoment,
    onTile: (path: string, hashes: Buffer) => void = () => {},
  ): TileBuilder {
    const builder = new TileBuilder();
    const pass = ({ hashes, ...tile }: BuiltTile) => onTile(logPath({ kind: 'tile', ...tile }), hashes);
    for (const { leaf } of this.entries.slice(0, size)) builder.append(leafHash(leaf)).forEach(pass);
    builder.partialTiles().forEach(pass);
    return builder;
  }

  private sign(rootHash: Buffer, { size = this.size, keys = [this.key] }: SealedMoment): string {
    const signers = keys.map((privateKey) => ({ name: this.origin, privateKey }));
    return signNote(formatCheckpoint({ origin: this.origin, size, rootHash }), signers);
  }

  /** Returns the time as answers of the API show it. */
  private shownNow(): string {
    return this.now().replace(/\.?0+Z$/, 'Z');
  }

  private now(): string {
    const [minutes, seconds] = [Math.floor(this.size / 60_000_000), Math.floor(this.size / 1_000_000) % 60];
    const digits = (value: number, width: number) => String(value).padStart(width, '0');
    return `${DAY}${digits(minutes, 2)}:${digits(seconds, 2)}.${digits(this.size % 1_000_000, 6)}Z`;
  }
}

/** Writes the files of a log below a folder. */
export async function writeLogFiles(folder: string, files: LogFiles): Promise<void> {
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
