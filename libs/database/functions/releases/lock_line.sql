CREATE OR REPLACE FUNCTION releases.lock_line(tenant uuid) RETURNS timestamptz
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  finished timestamptz;
BEGIN
  SELECT l.last_finished_at INTO finished FROM releases.lines l WHERE l.tenant_id = tenant FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO releases.lines (tenant_id) VALUES (tenant) ON CONFLICT DO NOTHING;
    SELECT l.last_finished_at INTO finished FROM releases.lines l WHERE l.tenant_id = tenant FOR UPDATE;
  END IF;
  RETURN finished;
END
$$;
COMMENT ON FUNCTION releases.lock_line IS
  'Takes the lock of a tenant''s release queue until the transaction ends, and returns when its last release '
  'finished, or NULL. Every move of the queue calls it first.';
REVOKE ALL ON FUNCTION releases.lock_line FROM PUBLIC;
