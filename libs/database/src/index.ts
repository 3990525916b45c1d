export { applyDirectory } from './apply-directory';
export { BACKUP_ROLE, prepareBackupRole } from './backup-role';
export { compareObjects, type ObjectDifference, type ObjectDifferences } from './compare-objects';
export { compareSchema, type SchemaDifferences } from './compare-schema';
export { type ConnectionOptions, tryLogin } from './connection';
export { Database } from './database';
export { DatabaseAddress } from './database-address';
export { Directory } from './directory';
export { DIRECTORY_SCHEMA, type DirectorySchema } from './directory-schema';
export { readFunctionFiles } from './function-files';
export { LOGIN_SETTINGS, QUIET_SETTING } from './login-settings';
export { LOGIN_ROLES, setLoginPasswords } from './logins';
export type { SchemaSource } from './migrate';
export { type AppliedSchema, migrate, schemaSource, SOURCE_SCHEMA } from './migrate';
export type { MigrationFile } from './migration-files';
export { findEditedFiles, readMigrationFiles } from './migration-files';
export { DirectoryError, parseDirectory } from './parse-directory';
export { PUBLISHED_FUNCTIONS } from './published-functions';
export { refusalOf, violates } from './refusal';
export { keepRefusalsOutOfLog } from './refusal-log';
export { type PrunedRows, type PrunedTable, pruneRows } from './retention/prune-rows';
export { lookAtTrail, pruneTrail, type TrailStep } from './retention/prune-trail';
export { momentBefore, withoutOthers } from './retention/retention';
export { RetentionFault } from './retention/retention-fault';
export type { KeyedScope, RequestKey, TenantScope } from './scope';
export { settleNames } from './settle-session';
export type { SqlCall } from './sql-call';
export { statementOf } from './sql-call';
export type { PermissionRule } from './stock-roles';
export { STOCK_ROLES } from './stock-roles';
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
