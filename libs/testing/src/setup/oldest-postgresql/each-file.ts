// The databases of this file's tests are made there.
process.env.PLAT_TEST_DATABASE_URL = process.env.PLAT_TEST_OLDEST_DATABASE_URL;
