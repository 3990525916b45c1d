/**
 * The newest migration and the revision of the functions, which a service of this release needs. A newer one sorts after
 * it. Written by npm run generate.
 */
export const SCHEMA_VERSION = '0008_ledger+0002';
