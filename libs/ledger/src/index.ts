export { parseBase64 } from './base64';
export { canonicalJson } from './canonical-json';
export { type Checkpoint, formatCheckpoint, openCheckpoint, parseCheckpoint } from './checkpoint';
export { commitment, isCommitted, SALT_BYTES } from './commitment';
export { CompactRange } from './compact-range';
export { type Disclosure, formatDisclosure, parseDisclosure } from './disclosure';
export { decodeEntries, encodeEntries, ENTRY_BYTES_MAX } from './entry-bundle';
export { EntryRanges } from './entry-ranges';
export { EMPTY_ROOT, HASH_BYTES, leafHash, nodeHash } from './hashes';
export { formatLeaf, type Leaf, LEAF_KINDS, type LeafKind, parseLeaf } from './leaf';
export { Malformed } from './malformed';
export {
  type Note,
  NOTE_BYTES_MAX,
  type NoteSignature,
  type NoteSigner,
  openNote,
  parseNote,
  SignatureRefused,
  signNote,
} from './note';
export { packedTileReader, type PackedTiles } from './packed-tiles';
export {
  consistencyProof,
  inclusionProof,
  readRange,
  type TileReader,
  tilesOfConsistency,
  tilesOfInclusion,
  tilesOfRange,
} from './proof';
export { verifyConsistency, verifyInclusion } from './proof-check';
export {
  type Bundle,
  bundlesOf,
  type LogFile,
  logPath,
  parseLogPath,
  type Tile,
  TILE_WIDTH,
  tilesOf,
} from './tile';
export { type BuiltTile, TileBuilder } from './tile-builder';
export type { TreeHead } from './tree-size';
export {
  formatVerifierKey,
  parseVerifierKey,
  publicKeyBytes,
  type VerifierKey,
  verifierKeyOf,
} from './verifier-key';
