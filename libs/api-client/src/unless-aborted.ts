/**
 * The result of the work, unless the signal is aborted first. The work itself goes on: the renewal of a session uses up
 * the refresh token, so a renewal that is cut short would end the session.
 *
 * @throws the signal's reason
 */
export async function unlessAborted<T>(work: T | Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const over = () => signal.removeEventListener('abort', stop);
    Promise.resolve(work).then(resolve, reject).finally(over);
  });
}
