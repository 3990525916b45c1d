export * from './comment';
export * from './merge-queue';
export * from './review';
export * from './reviewer';
