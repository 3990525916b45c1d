/** The newest migration, which a service of this release needs. Written by npm run generate. */
export const SCHEMA_VERSION = '0106_subject_of_a_user';
