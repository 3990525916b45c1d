/** How a statement of a sealer's transaction ends: with its connection, or with an error. */
export const ENDINGS = ['its connection ends', 'the disk is full', 'its data is refused'] as const;
export type Ending = (typeof ENDINGS)[number];

/**
 * A trigger on everything that a sealer writes, next to the triggers of the product: it ends the statement whose number is
 * set, counted from 1 over all sealers. With number 0 it does nothing.
 */
export const FUSE = `
  CREATE SCHEMA rounds;
  CREATE SEQUENCE rounds.passed;
  CREATE TABLE rounds.fuse (at bigint NOT NULL, ending text NOT NULL);
  INSERT INTO rounds.fuse VALUES (0, '');
  CREATE FUNCTION rounds.burn() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  DECLARE fuse rounds.fuse;
  BEGIN
    SELECT * INTO fuse FROM rounds.fuse;
    -- A sequence counts what is rolled back as well.
    IF fuse.at > 0 AND nextval('rounds.passed') = fuse.at THEN
      CASE fuse.ending
        WHEN '${ENDINGS[0]}' THEN PERFORM pg_terminate_backend(pg_backend_pid());
        WHEN '${ENDINGS[1]}' THEN RAISE disk_full;
        ELSE RAISE data_exception;
      END CASE;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER burn AFTER INSERT OR UPDATE ON ledger.logs EXECUTE FUNCTION rounds.burn();
  CREATE TRIGGER burn AFTER INSERT ON ledger.entries EXECUTE FUNCTION rounds.burn();
  CREATE TRIGGER burn AFTER INSERT OR UPDATE ON ledger.tiles EXECUTE FUNCTION rounds.burn();`;

/** Sets the fuse to a statement; $1 is its number, 0 for none, $2 how it ends. */
export const SET_FUSE = `
  WITH counted AS (SELECT setval('rounds.passed', 1, false))
  UPDATE rounds.fuse SET at = $1, ending = $2 FROM counted`;
