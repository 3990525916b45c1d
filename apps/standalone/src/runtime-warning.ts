/**
 * Loads modules without oidc-provider's warning that it does not support Node 20. It works there, as the tests on
 * Node 20 show, and the person at the terminal can do nothing about it. Other warnings pass.
 */
export async function withoutRuntimeWarning<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = (...message: unknown[]) => {
    if (!String(message[0]).includes('oidc-provider WARNING: Unsupported runtime')) warn(...message);
  };
  try {
    return await load();
  } finally {
    console.warn = warn;
  }
}
