import { readFile } from 'node:fs/promises';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { writePrivateFile } from '@plat/local';

/** The models that must outlive a restart so that a signed-in client stays signed in; sessions and codes need not. */
const KEPT_MODELS = new Set(['Grant', 'RefreshToken']);

/**
 * Most records of a model that is not kept. Any page or program of the machine can begin sign-ins without end; then the
 * record is forgotten that was not written or read for the longest time, so that a session in use stays.
 */
export const PASSING_MAX = 1000;

interface Entry {
  model: string;
  id: string;
  payload: AdapterPayload;
  /** Milliseconds since the epoch; absent when it never expires. */
  expiresAt?: number;
}

/** The provider's records: all in memory, and the long-lived ones also in a file (0600). */
export class IssuerState {
  /** The last used one is at the end. */
  private readonly entries = new Map<string, Entry>();
  private saving: Promise<void> = Promise.resolve();

  private constructor(private readonly file: string) {}

  /** Reads the file. An unreadable one counts as empty: people only have to sign in again. */
  static async open(file: string): Promise<IssuerState> {
    const state = new IssuerState(file);
    try {
      const kept = JSON.parse(await readFile(file, 'utf8')) as Entry[];
      for (const entry of kept) state.entries.set(keyOf(entry.model, entry.id), entry);
    } catch {
      state.entries.clear();
    }
    return state;
  }

  /** The records of one of the provider's models. */
  adapter(model: string): Adapter {
    return {
      upsert: (id, payload, expiresIn) => this.put({ model, id, payload, ...expiryIn(expiresIn) }),
      find: async (id) => this.get(keyOf(model, id)),
      findByUid: async (uid) => this.search(model, (payload) => payload.uid === uid),
      findByUserCode: async (code) => this.search(model, (payload) => payload.userCode === code),
      consume: (id) => this.consume(model, id),
      destroy: (id) => this.remove((entry) => entry.model === model && entry.id === id),
      revokeByGrantId: (grantId) => this.remove(({ payload }) => payload.grantId === grantId),
    };
  }

  private async put(entry: Entry): Promise<void> {
    this.moveToEnd(entry);
    if (!KEPT_MODELS.has(entry.model)) this.forgetUnused(entry.model);
    await this.saveModel(entry.model);
  }

  /** A map keeps the place of a key that it has. */
  private moveToEnd(entry: Entry): void {
    const key = keyOf(entry.model, entry.id);
    this.entries.delete(key);
    this.entries.set(key, entry);
  }

  private forgetUnused(model: string): void {
    const keys = [...this.entries].filter(([, entry]) => entry.model === model).map(([key]) => key);
    for (const key of keys.slice(0, -PASSING_MAX)) this.entries.delete(key);
  }

  private get(key: string): AdapterPayload | undefined {
    return this.use(this.entries.get(key));
  }

  private search(model: string, matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const entry of this.entries.values()) {
      if (entry.model === model && !hasExpired(entry) && matches(entry.payload)) return this.use(entry);
    }
    return undefined;
  }

  private use(entry: Entry | undefined): AdapterPayload | undefined {
    if (!entry || hasExpired(entry)) return undefined;
    this.moveToEnd(entry);
    return entry.payload;
  }

  private async consume(model: string, id: string): Promise<void> {
    const entry = this.entries.get(keyOf(model, id));
    if (!entry) return;
    entry.payload = { ...entry.payload, consumed: Math.floor(Date.now() / 1000) };
    await this.saveModel(model);
  }

  private async remove(matches: (entry: Entry) => boolean): Promise<void> {
    const gone = [...this.entries].filter(([, entry]) => matches(entry));
    for (const [key] of gone) this.entries.delete(key);
    for (const model of new Set(gone.map(([, entry]) => entry.model))) await this.saveModel(model);
  }

  /** Saves one state after the other, so that the file never returns to an older one. */
  private async saveModel(model: string): Promise<void> {
    for (const [key, entry] of this.entries) if (hasExpired(entry)) this.entries.delete(key);
    if (!KEPT_MODELS.has(model)) return;
    const kept = [...this.entries.values()].filter((entry) => KEPT_MODELS.has(entry.model));
    const text = JSON.stringify(kept);
    this.saving = this.saving.catch(() => undefined).then(() => writePrivateFile(this.file, text));
    await this.saving;
  }
}

function keyOf(model: string, id: string): string {
  return `${model}:${id}`;
}

function expiryIn(seconds: number | undefined): { expiresAt?: number } {
  return seconds === undefined ? {} : { expiresAt: Date.now() + seconds * 1000 };
}

function hasExpired({ expiresAt }: Entry): boolean {
  return expiresAt !== undefined && expiresAt <= Date.now();
}
