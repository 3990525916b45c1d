// Each test file makes its databases on the oldest PostgreSQL.
process.env.PLAT_TEST_DATABASE_URL = process.env.PLAT_TEST_OLDEST_DATABASE_URL;
