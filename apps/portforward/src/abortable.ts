/**
 * The promise's result, unless the signal is aborted before: then it throws the signal's reason.
 *
 * @param onAbort called if the promise is no longer waited for
 */
export function abortable<Result>(
  promise: Promise<Result>,
  signal: AbortSignal,
  onAbort?: () => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const listener = () => {
      onAbort?.();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', listener);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', listener));
    if (signal.aborted) listener();
  });
}

/** Runs the work with a signal that is aborted with the error after the given time. */
export async function withDeadline<Result>(
  milliseconds: number,
  error: Error,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(error), milliseconds);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
