export * from './comment';
export * from './gate-run';
export * from './merge-queue';
export * from './merge-queue-statistics';
export * from './merge-queue-status';
export * from './merge-receipt';
export * from './review';
export * from './reviewer';
