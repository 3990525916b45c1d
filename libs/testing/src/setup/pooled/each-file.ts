// The databases of this file's tests are made there, and their services come in by the pooler.
process.env.PLAT_TEST_DATABASE_URL = process.env.PLAT_TEST_POOLED_DATABASE_URL;
process.env.PLAT_TEST_POOLER_PORT = process.env.PLAT_TEST_POOLED_PORT;
