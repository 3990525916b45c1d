import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { commitment, encodeEntries, formatLeaf, parseLeaf } from '@plat/ledger';
import { type LogFiles, type Random, type SealedEntry, SealedLog } from '@plat/testing';
import { forkOf } from './served-log';

/** A log, and the choices of a round. */
export interface Round {
  random: Random;
  log: SealedLog;
  /** The keys that sign it, each with an entry. */
  keys: KeyObject[];
}

/** The inputs of a verifier. */
export interface Given {
  files: LogFiles;
  /** Further trusted keys. */
  trusted?: KeyObject[];
  /** Known checkpoints. */
  known?: string[];
  /** The first entry that is wrong, if the files say which. */
  index?: number;
}

const strangerKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

/** An index of the log, from the first one on. */
export const indexIn = ({ random, log }: Round, first = 0): number =>
  first + Math.floor(random.next() * (log.size - first));

/** The files of a log that someone without the key has changed: all follow from the entries, save the checkpoint. */
function unsigned({ log, keys }: Round, change: (entries: SealedEntry[]) => void): Given {
  const changed = forkOf(log, log.size);
  change(changed.entries);
  return { files: changed.files({ keys }).set('checkpoint', Buffer.from(log.checkpoint({ keys }))) };
}

/**
 * The files of a log that the owner of the key has changed before signing it.
 *
 * @param index of the first entry that is wrong; the first that is put behind, unless given
 */
function signed({ log, keys }: Round, change: (log: SealedLog) => void, index = log.size): Given {
  const changed = forkOf(log, log.size);
  change(changed);
  return { files: changed.files({ keys }), index };
}

/**
 * The files with another content of one. One key signs: the loss of a signature is no fault where another is left, because
 * a note may have signatures by strangers.
 */
function edited(round: Round, change: (content: Buffer, path: string) => Buffer): Given {
  const files = round.log.files();
  const path = round.random.pick([...files.keys()]);
  return { files: files.set(path, change(files.get(path)!, path)) };
}

function flipped(content: Buffer, random: Random): Buffer {
  const copy = Buffer.from(content);
  copy[Math.floor(random.next() * copy.length)]! ^= 1 << Math.floor(random.next() * 8);
  return copy;
}

/** Entries that stand for another thing than one that is there. */
const another = (log: SealedLog): SealedEntry => {
  const other = forkOf(log, 0);
  other.addAudit();
  return other.entries[0]!;
};

/** An entry whose fields are a text that no canonical writer gives. */
function entryOf(fields: (id: string, at: string) => string): SealedEntry {
  const [id, at, salt] = [randomUUID(), '2026-11-25T01:00:00.000001Z', Buffer.alloc(16, 7)];
  const text = fields(id, at);
  const leaf = formatLeaf({ kind: 'audit', id, at, open: commitment(salt, text), closed: Buffer.alloc(32) });
  return { leaf, shown: { salt, fields: text } };
}

/** Every way to alter a log without the key to sign it, and every content that a log may never have, signed or not. */
export const ALTERATIONS: Readonly<Record<string, (round: Round) => Given>> = {
  'a bit of a file': (round) => edited(round, (content) => flipped(content, round.random)),
  'the end of a file cut off': (round) =>
    edited(round, (content) => content.subarray(0, Math.floor(round.random.next() * content.length))),
  'more at the end of a file': (round) =>
    edited(round, (content, path) =>
      Buffer.concat([content, path === 'checkpoint' ? Buffer.from('x\n') : content.subarray(0, 32)]),
    ),
  'a missing file': (round) => {
    const files = round.log.files({ keys: round.keys });
    files.delete(round.random.pick([...files.keys()]));
    return { files };
  },
  'an additional file': (round) => {
    const files = round.log.files({ keys: round.keys });
    const names = [
      'tile/0/999',
      'tile/7/000.p/1',
      'disclosed/x001/000',
      'tile/entries/555.p/3',
      'disclosed/README',
      'tile/0',
    ];
    return { files: files.set(round.random.pick(names), Buffer.alloc(32)) };
  },
  'two files exchanged': (round) => {
    const files = round.log.files({ keys: round.keys });
    const [one, other] = ['tile/entries/', 'disclosed/'].map((start) =>
      [...files.keys()].find((p) => p.startsWith(start))!,
    );
    const [first, second] = [files.get(one!)!, files.get(other!)!];
    return { files: files.set(one!, second).set(other!, first) };
  },
  'an entry edited': (round) =>
    unsigned(round, (entries) => entries.splice(indexIn(round), 1, another(round.log))),
  'an entry removed': (round) => unsigned(round, (entries) => entries.splice(indexIn(round), 1)),
  'an entry put in': (round) =>
    unsigned(round, (entries) => entries.splice(indexIn(round), 0, another(round.log))),
  'entries in another order': (round) => {
    round.log.addAudit();
    const place = Math.min(indexIn(round), round.log.size - 2);
    return unsigned(round, (entries) => entries.push(...entries.splice(place, 1)));
  },
  'entries cut off': (round) => unsigned(round, (entries) => entries.splice(indexIn(round))),
  'entries put behind': (round) => unsigned(round, (entries) => entries.push(another(round.log))),
  'an entry put behind in its bundle alone': (round) => {
    const files = round.log.files({ keys: round.keys });
    const path = [...files.keys()].findLast((name) => name.startsWith('tile/entries/'))!;
    const more = encodeEntries([another(round.log).leaf]);
    return { files: files.set(path, Buffer.concat([files.get(path)!, more])) };
  },
  'signed by a stranger': ({ log }) => ({ files: log.files({ keys: [strangerKey()] }) }),
  'signed by a key that the log does not record': ({ log, keys }) => {
    const stranger = strangerKey();
    return { files: log.files({ keys: [...keys, stranger] }), trusted: [stranger] };
  },
  'fields withheld without a word': (round) => {
    round.log.addAudit();
    const at = round.log.size - 1;
    return signed(round, ({ entries }) => (entries[at] = { leaf: entries[at]!.leaf }), at);
  },
  'the fields of a key withheld': (round) =>
    signed(
      round,
      (log) => {
        log.entries[0] = { leaf: log.entries[0]!.leaf };
        log.addAudit();
      },
      0,
    ),
  'fields that an earlier entry erased': (round) => {
    const at = round.log.addAudit();
    const put = ({ entries }: SealedLog) => {
      round.log.erase([at]);
      const erasure = round.log.entries.pop()!;
      entries.splice(at, 1, erasure, { leaf: round.log.entries[at]!.leaf });
    };
    return signed(round, put, at);
  },
  'the fields of another entry': (round) => {
    round.log.addAudit(2);
    const at = round.log.size - 2;
    const exchange = ({ entries }: SealedLog) => {
      entries[at] = { leaf: entries[at]!.leaf, shown: entries[at + 1]!.shown };
    };
    return signed(round, exchange, at);
  },
  'an entry twice': (round) => {
    round.log.addAudit();
    return signed(round, ({ entries }) => entries.push(entries.at(-1)!));
  },
  'a landing three times': (round) => {
    const add = (log: SealedLog) => {
      const reviewId = randomUUID();
      for (const contentVerdict of ['EXACT', 'UNKNOWN', 'DIVERGENT']) {
        log.addLanding({ reviewId, contentVerdict });
      }
    };
    return signed(round, add, round.log.size + 2);
  },
  'an entry of another tenant': (round) =>
    signed(round, (log) => {
      const foreign = new SealedLog();
      foreign.addAudit();
      log.entries.push(foreign.entries[1]!);
    }),
  'a landing of another tenant': (round) =>
    signed(round, (log) => log.addLanding({ tenantId: randomUUID() })),
  'fields of another row': (round) =>
    signed(round, (log) => {
      log.seal('audit', randomUUID(), { auditEventId: randomUUID(), tenantId: log.tenantId });
    }),
  'fields with another time': (round) =>
    signed(round, (log) => {
      const fields = (id: string) =>
        `{"auditEventId":"${id}","createdAt":"2026-11-25T02:00:00.000001Z","tenantId":"${log.tenantId}"}`;
      log.entries.push(entryOf(fields));
    }),
  'fields that are not canonical': (round) =>
    signed(round, (log) => {
      const fields = (id: string, at: string) =>
        `{"tenantId":"${log.tenantId}","auditEventId":"${id}","createdAt":"${at}"}`;
      log.entries.push(entryOf(fields));
    }),
  'an erasure of a key': (round) => signed(round, (log) => erasure(log, () => '0'), round.log.size + 1),
  'an erasure of what comes after it': (round) =>
    signed(round, (log) => erasure(log, ({ size }) => `${size}`), round.log.size + 1),
  'an erasure that names no entries': (round) =>
    signed(round, (log) => erasure(log, () => '2-2'), round.log.size + 1),
  'a key without a key': (round) =>
    signed(round, (log) => log.seal('key', randomUUID(), { algorithm: 'Ed25519' })),
  'no key at the beginning': (round) => signed(round, (log) => log.entries.unshift(another(log)), 0),
  'an entry that is none': (round) =>
    signed(round, (log) => {
      const leaf = Buffer.from(log.entries[0]!.leaf.toString().replace('"v":1', '"v":2'));
      log.entries.push({ leaf, shown: log.entries[0]!.shown });
    }),
};

function erasure(log: SealedLog, entries: (log: SealedLog) => string): void {
  log.addAudit();
  log.seal('erasure', randomUUID(), { entries: entries(log), reason: 'person' });
}

/** Logs that are sound in themselves, and not the one of which a checkpoint was known. */
export const CONTRADICTIONS: Readonly<Record<string, (round: Round) => Given>> = {
  'an old export put back': ({ log, keys }) => {
    const files = log.files({ keys });
    log.addAudit();
    return { files, known: [log.checkpoint({ keys })] };
  },
  'two views': (round) => {
    const { log, keys } = round;
    const common = log.size;
    const other = forkOf(log, common);
    log.addAudit();
    other.addAudit(1 + Math.floor(round.random.next() * 3));
    return {
      files: other.files({ keys }),
      known: [log.checkpoint({ size: common, keys }), log.checkpoint({ keys })],
    };
  },
};

/** The kind of an entry. */
export const kindOf = ({ leaf }: SealedEntry): string => parseLeaf(leaf).kind;
