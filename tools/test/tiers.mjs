/**
 * The runs that need only what npm installs. A spec's suffix says which of them has it.
 *
 * @type {Record<string, {command: string, config: string, has: (file: string) => boolean}>}
 */
export const tiers = {
  usual: {
    command: 'npm test',
    config: 'jest.config.js',
    has: (file) => /\.spec\.ts$/.test(file) && !/\.(?:peers|cluster|long)\.spec\.ts$/.test(file),
  },
  long: {
    command: 'npm run test:long',
    config: 'jest.long.config.js',
    has: (file) => /\.long\.spec\.ts$/.test(file),
  },
};
