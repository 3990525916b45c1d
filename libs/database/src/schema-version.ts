/** The newest migration, which a service of this release needs. Written by npm run generate. */
export const SCHEMA_VERSION = '0112_deletions_by_tenant';
