/** The names of a list with commas. */
export const contextsOf = (list: string): string[] =>
  list === '' ? [] : list.split(',').map((name) => name.trim());

/**
 * The contexts of a kubeconfig that environments may name. Tenants name them freely, so what is answered depends on this
 * list alone, not on the file: it shows no context to those who may not use it.
 */
export class OpenContexts {
  /** @param names undefined where there is no file: a context is then a note of the caller's */
  constructor(private readonly names: readonly string[] | undefined) {}

  has(context: string): boolean {
    return this.names === undefined || this.names.includes(context);
  }
}
