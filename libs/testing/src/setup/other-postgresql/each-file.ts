import type { OtherVersion } from './version';

// Each test file makes its databases on the PostgreSQL of its project's version.
const { postgresql } = globalThis as unknown as { postgresql: OtherVersion };
process.env.PLAT_TEST_DATABASE_URL = process.env[`PLAT_TEST_DATABASE_URL_OF_${postgresql}`];
