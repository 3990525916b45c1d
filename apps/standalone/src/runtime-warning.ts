/**
 * Loads modules without oidc-provider's remark that Node 20 is none of its runtimes: it works there, as
 * our tests on Node 20 show, and the person at the terminal can do nothing about it. Other warnings pass.
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
