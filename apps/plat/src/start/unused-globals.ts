/** Classes that Node makes when they are first looked at, and loads all of its fetch for. */
const FETCH_CLASSES = ['FormData', 'Headers', 'Request', 'Response'];

/**
 * Loads a module while the classes of fetch are out of sight. axios looks for them as it is evaluated, for an
 * adapter that is not used here: about 12 ms of each command. Who does use fetch loads later and finds them.
 */
export async function withoutFetchClasses<T>(load: () => Promise<T>): Promise<T> {
  const hidden = FETCH_CLASSES.map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name] of hidden) {
    Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true });
  }
  try {
    return await load();
  } finally {
    for (const [name, descriptor] of hidden) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    }
  }
}
