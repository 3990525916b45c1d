/**
 * Runs tasks a few at a time, and yields their results in the order of the tasks. A task begins only when the result of
 * the one that is `ahead` places before it was taken, so that a slow reader is not flooded.
 */
export async function* inOrder<T>(tasks: AsyncIterable<() => Promise<T>>, ahead: number): AsyncGenerator<T> {
  const running: Promise<T>[] = [];
  for await (const task of tasks) {
    const result = task();
    // Its error is thrown when its turn comes, which another error may forestall.
    result.catch(() => undefined);
    running.push(result);
    if (running.length >= ahead) yield await running.shift()!;
  }
  while (running.length > 0) yield await running.shift()!;
}
