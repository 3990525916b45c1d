export * from './audit-event';
export * from './audit-log';
