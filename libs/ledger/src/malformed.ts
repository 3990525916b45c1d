/** Bytes or a text that are not what a format of the log demands. The message says what is wrong, without "is malformed". */
export class Malformed extends Error {}
