/** A supported PostgreSQL other than the one from npm, with which most tests run. */
export type OtherVersion = '15' | '16' | '17';
