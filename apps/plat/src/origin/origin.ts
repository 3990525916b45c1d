/** The remote that names a checkout's repository, and that gates fetch from and push to. */
export const ORIGIN = 'origin';
