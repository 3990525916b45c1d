import { AsyncLocalStorage } from 'node:async_hooks';

type Properties = Map<PropertyKey, PropertyDescriptor>;

/** The storages that a test file has used. Until it is disabled, each costs time at every promise of its worker. */
const storages = new Set<AsyncLocalStorage<unknown>>();

/** From now on, `restore` also disables each storage that has been used. */
export function watchStorages(): void {
  for (const name of ['run', 'enterWith'] as const) {
    const own = AsyncLocalStorage.prototype[name] as (...args: unknown[]) => unknown;
    Object.assign(AsyncLocalStorage.prototype, {
      [name](this: AsyncLocalStorage<unknown>, ...args: unknown[]) {
        storages.add(this);
        return own.apply(this, args);
      },
    });
  }
}

/** The globals of a worker, and the properties, variables and listeners of its process, as they are before a test file. */
export class WorkerState {
  private readonly globals = propertiesOf(globalThis);
  private readonly process = propertiesOf(process);
  private readonly listeners = new Map(
    process.eventNames().map((name) => [name, new Set(process.rawListeners(name))]),
  );

  private constructor() {}

  static take(): WorkerState {
    const state = new WorkerState();
    // A copy: the file may set values that are no text, and another one must not see them.
    process.env = { ...process.env };
    return state;
  }

  restore(): void {
    for (const name of process.eventNames()) this.removeNewListeners(name);
    restore(process, this.process);
    restore(globalThis, this.globals);
    for (const storage of storages) storage.disable();
    storages.clear();
  }

  private removeNewListeners(name: string | symbol): void {
    const old = this.listeners.get(name);
    for (const listener of process.rawListeners(name)) {
      if (!old?.has(listener)) process.removeListener(name, listener as () => void);
    }
  }
}

/** An event emitter has a count and its listeners in properties of these names. */
const isOfEvents = (key: PropertyKey) => typeof key === 'string' && key.startsWith('_events');

function propertiesOf(object: object): Properties {
  const keys = Reflect.ownKeys(object).filter((key) => !isOfEvents(key));
  return new Map(keys.map((key) => [key, Reflect.getOwnPropertyDescriptor(object, key)!] as const));
}

/** Removes the properties that are new, and puts back values that were replaced. */
function restore(object: object, before: Properties): void {
  for (const key of Reflect.ownKeys(object).filter((one) => !isOfEvents(one))) {
    const old = before.get(key);
    if (old === undefined) {
      Reflect.deleteProperty(object, key);
    } else if ('value' in old && Reflect.getOwnPropertyDescriptor(object, key)?.value !== old.value) {
      Reflect.defineProperty(object, key, old);
    }
  }
}
