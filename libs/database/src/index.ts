export { type ConnectionOptions, tryLogin } from './connections/connection';
export { DatabaseAddress } from './connections/database-address';
export { refusalOf, violates } from './connections/refusal';
export { settleNames } from './connections/settle-session';
export { applyDirectory } from './directory/apply-directory';
export { Directory } from './directory/directory';
export { DIRECTORY_SCHEMA, type DirectorySchema } from './directory/directory-schema';
export { DirectoryError, parseDirectory } from './directory/parse-directory';
export type { PermissionRule } from './directory/stock-roles';
export { STOCK_ROLES } from './directory/stock-roles';
export { readFunctionFiles } from './functions/function-files';
export { PUBLISHED_FUNCTIONS } from './functions/published-functions';
export { BACKUP_ROLE, prepareBackupRole } from './logins/backup-role';
export { LOGIN_SETTINGS, QUIET_SETTING } from './logins/login-settings';
export { LOGIN_ROLES, setLoginPasswords } from './logins/logins';
export { keepRefusalsOutOfLog } from './logins/refusal-log';
export { compareObjects, type ObjectDifference, type ObjectDifferences } from './migrations/compare-objects';
export { compareSchema, type SchemaDifferences } from './migrations/compare-schema';
export type { SchemaSource } from './migrations/migrate';
export { type AppliedSchema, migrate, schemaSource, SOURCE_SCHEMA } from './migrations/migrate';
export type { MigrationFile } from './migrations/migration-files';
export { findEditedFiles, readMigrationFiles } from './migrations/migration-files';
export { type PrunedRows, type PrunedTable, pruneRows } from './retention/prune-rows';
export { lookAtTrail, pruneTrail, type TrailStep } from './retention/prune-trail';
export { momentBefore, withoutOthers } from './retention/retention';
export { RetentionFault } from './retention/retention-fault';
export type { Cells } from './tenants/cells';
export type { RowCount } from './tenants/delete-tenant';
export { countTenantRows, deleteTenant, liveWorkOf } from './tenants/delete-tenant';
export {
  countErasable,
  type ErasableRows,
  eraseUser,
  tenantNames,
  type TenantUser,
  usersOf,
} from './tenants/erase-user';
export type { Move } from './tenants/move-tenant';
export { cancelMove, finishMove, moveTenant } from './tenants/move-tenant';
export { findTenant, TenantFault, tenantNamed, withOwner } from './tenants/tenant-session';
export { Database } from './transactions/database';
export type { KeyedScope, RequestKey, TenantScope } from './transactions/scope';
export type { SqlCall } from './transactions/sql-call';
export { statementOf } from './transactions/sql-call';
