import { createTestDatabase, type TestDatabase } from '@plat/testing';

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

/** Every schema of the product and every object in it, with its comment; monthly partitions are left out. */
const DESCRIBED = `
  WITH house AS (
    SELECT oid, nspname AS name FROM pg_namespace
     WHERE nspname NOT LIKE 'pg\\_%' AND nspname NOT IN ('public', 'information_schema', 'migrations')
  )
  SELECT 'schema' AS kind, name::text, obj_description(oid, 'pg_namespace') AS comment FROM house
  UNION ALL
  SELECT CASE p.prokind WHEN 'p' THEN 'procedure' ELSE 'function' END, p.oid::regprocedure::text,
         obj_description(p.oid, 'pg_proc')
    FROM pg_proc p JOIN house h ON h.oid = p.pronamespace
  UNION ALL
  SELECT CASE WHEN c.relkind IN ('r', 'p') THEN 'table' WHEN c.relkind = 'c' THEN 'type' ELSE 'view' END,
         c.oid::regclass::text,
         CASE WHEN c.relkind = 'c' THEN obj_description(c.reltype, 'pg_type') ELSE obj_description(c.oid, 'pg_class') END
    FROM pg_class c JOIN house h ON h.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p', 'c', 'v', 'm') AND NOT (c.relispartition AND c.relname ~ '_[0-9]{4}_[0-9]{2}$')`;

interface DescribedObject {
  kind: string;
  name: string;
  comment: string | null;
}

const listDescribedObjects = (): Promise<DescribedObject[]> => database.query<DescribedObject>(DESCRIBED);

/** The objects that have no comment, or one that does not end with a full stop. */
const undescribed = (objects: DescribedObject[]): string[] =>
  objects
    .filter(({ comment }) => !/^\S.*\S\.$/s.test(comment ?? ''))
    .map(({ kind, name }) => `${kind} ${name}`);

describe('a comment', () => {
  it('is on each schema, function, procedure, table, view and type of the product', async () => {
    const objects = await listDescribedObjects();
    expect(new Set(objects.map(({ kind }) => kind))).toEqual(
      new Set(['schema', 'function', 'procedure', 'table', 'type']),
    );
    expect(undescribed(objects)).toEqual([]);
  });

  it('is reported as missing for new objects that have none', async () => {
    await database.query(`CREATE SCHEMA spec_house;
      CREATE TABLE spec_house.things ();
      CREATE VIEW spec_house.seen AS SELECT 1 AS one;
      CREATE FUNCTION spec_house.look() RETURNS int LANGUAGE sql RETURN 1;
      CREATE PROCEDURE spec_house.work() LANGUAGE sql AS '';
      COMMENT ON TABLE spec_house.things IS ' '`);
    expect(undescribed(await listDescribedObjects()).sort()).toEqual([
      'function spec_house.look()',
      'procedure spec_house.work()',
      'schema spec_house',
      'table spec_house.things',
      'view spec_house.seen',
    ]);
  });
});
