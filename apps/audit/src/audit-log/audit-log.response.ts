import type { AuditLogEntry } from '@plat/contracts/audit';
import type { EntryRow } from './audit-log.queries';

/** The response for an entry. */
export const toEntry = ({ leaf_index: index, leaf, salt, fields }: EntryRow): AuditLogEntry => ({
  index: Number(index),
  leaf,
  salt: salt?.toString('base64'),
  fields: fields ?? undefined,
});
