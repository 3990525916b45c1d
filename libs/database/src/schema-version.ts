/** The newest migration, which a service of this release needs. Written by npm run generate. */
export const SCHEMA_VERSION = '0100_entries_of_a_kind';
