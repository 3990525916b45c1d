/** The newest migration, which a service of this release needs. Written by npm run generate. */
export const SCHEMA_VERSION = '0111_show_a_role';
