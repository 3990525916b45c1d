/** Called with each step of long work. Reports a step only if it takes long. */
export type Progress = <T>(step: string, work: Promise<T>) => Promise<T>;

const SILENT_MILLISECONDS = 1000;

/** @param note writes a line to stderr, once for each step that takes over a second */
export function slowStepProgress(note: (line: string) => void): Progress {
  return async (step, work) => {
    const timer = setTimeout(() => note(`${step} …`), SILENT_MILLISECONDS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  };
}
