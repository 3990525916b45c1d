import type { Surroundings } from './live-reads';

/** The page at hand. */
export const browserSurroundings: Surroundings = {
  whenVisible: (signal) =>
    new Promise((resolve, reject) => {
      if (!document.hidden) return resolve();
      const shown = (): void => {
        if (!document.hidden) resolve();
      };
      document.addEventListener('visibilitychange', shown, { signal });
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    }),
  onHidden: (listener) => {
    const hidden = (): void => {
      if (document.hidden) listener();
    };
    document.addEventListener('visibilitychange', hidden);
    return () => document.removeEventListener('visibilitychange', hidden);
  },
  delay: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      });
    }),
  now: () => new Date(),
};
