/** The remote that a checkout's repository is derived from, and that gates fetch from and push to. */
export const ORIGIN = 'origin';
