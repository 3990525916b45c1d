/** Classes that Node creates on first access, when it loads all of its fetch. */
const FETCH_CLASSES = ['FormData', 'Headers', 'Request', 'Response'];

/**
 * Loads a module while the classes of fetch are hidden. When axios is evaluated, it looks for them for an adapter that
 * is not used here; if it found them, each command would take about 12 ms longer. Modules that use fetch are loaded
 * later, and find them.
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
