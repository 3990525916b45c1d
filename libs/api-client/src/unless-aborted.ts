/**
 * What the work comes to, unless the signal ends the wait for it. The work itself goes on: the renewal of a session
 * uses up its refresh token, so that one cut short would end the session.
 *
 * @throws what the signal was aborted with
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
