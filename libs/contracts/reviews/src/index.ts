export * from './merge-queue';
export * from './review';
