import { sep } from 'node:path';

/** Whether a path is below a folder. Compares the text of both, and follows no link. */
export const isWithin = (path: string, folder: string): boolean => path.startsWith(`${folder}${sep}`);
