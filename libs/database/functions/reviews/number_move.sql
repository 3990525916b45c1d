CREATE OR REPLACE FUNCTION reviews.number_move() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  NEW.nth := 1 + reviews.count_moves(NEW.tenant_id, NEW.target_branch, NEW.repository, NEW.cause);
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION reviews.number_move IS
  'Trigger of each insert into reviews.queue_moves: numbers the move among those of its cause in its queue, under '
  'the lock that the move holds.';
REVOKE ALL ON FUNCTION reviews.number_move FROM PUBLIC;
