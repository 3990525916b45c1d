/** The newest migration, which a service of this release needs. Written by npm run generate. */
export const SCHEMA_VERSION = '0050_comments_on_builds_releases_audit_environments';
