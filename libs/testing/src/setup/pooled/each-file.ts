// Each test file makes its databases on the PostgreSQL behind the pooler, and its services connect through the pooler.
process.env.PLAT_TEST_DATABASE_URL = process.env.PLAT_TEST_POOLED_DATABASE_URL;
process.env.PLAT_TEST_POOLER_PORT = process.env.PLAT_TEST_POOLED_PORT;
