import { SOURCE_SCHEMA } from '../migrations/migrate';
import { inOrder, parseFunctionFile, readFunctionFiles } from './function-files';

const inSql = (name: string, called = '1') =>
  parseFunctionFile(
    `a/${name}.sql`,
    `CREATE OR REPLACE FUNCTION a.${name}() RETURNS int LANGUAGE sql RETURN ${called};\nCOMMENT ON FUNCTION a.${name} IS 'a.z calls it.';`,
  );
const names = (files: readonly { name: string }[]) => files.map(({ name }) => name);

describe('the files of functions', () => {
  it('come after the functions that their bodies call, which PostgreSQL looks for', () => {
    const files = [inSql('a', 'a.c()'), inSql('b'), inSql('c', 'a.b() + a.z()'), inSql('z')];
    expect(names(inOrder(files))).toEqual(['a/b', 'a/z', 'a/c', 'a/a']);
  });

  it('are refused if their bodies call each other in a circle', () => {
    expect(() => inOrder([inSql('a', 'a.b()'), inSql('b', 'a.a()')])).toThrow(
      'Functions call each other: a/a > a/b > a/a',
    );
  });

  it('keep their order if a body is looked into when it runs', () => {
    const late = parseFunctionFile(
      'a/a.sql',
      'CREATE OR REPLACE FUNCTION a.a() RETURNS int\nLANGUAGE plpgsql AS $$ BEGIN RETURN a.b(); END $$;',
    );
    expect(names(inOrder([late, inSql('b', 'a.a()')]))).toEqual(['a/a', 'a/b']);
  });

  it('belong to the owner of the schema, or to the role that their folder names', () => {
    expect(inSql('a')).toMatchObject({ schema: 'a', owner: undefined, functions: ['a.a'] });
    expect(parseFunctionFile('ledger/sealer/x.sql', '')).toMatchObject({
      name: 'ledger/sealer/x',
      schema: 'ledger',
      owner: 'plat_ledger_sealer',
    });
  });

  it('have the name of their function, a comment, and say who may call it', async () => {
    const faults = (await readFunctionFiles(SOURCE_SCHEMA.functionsDir)).flatMap(
      ({ name, schema, functions, sql }) => {
        const [made = ''] = functions;
        const isNamed = made === `${schema}.${name.split('/').at(-1)}` && functions.length === 1;
        const isTold = new RegExp(`^COMMENT ON \\w+ ${made} IS$`, 'm').test(sql);
        const isGranted = new RegExp(
          `^(REVOKE ALL ON \\w+ ${made} FROM PUBLIC|GRANT EXECUTE ON \\w+ ${made} TO PUBLIC);`,
          'm',
        ).test(sql);
        return isNamed && isTold && isGranted ? [] : [name];
      },
    );
    expect(faults).toEqual([]);
  });

  it('say UTC as an interval: PostgreSQL 18 looks for a name among the abbreviations of the session first', async () => {
    const files = await readFunctionFiles(SOURCE_SCHEMA.functionsDir);
    expect(names(files.filter(({ sql }) => /AT TIME ZONE (?!INTERVAL)|timezone\(/i.test(sql)))).toEqual([]);
  });
});
