CREATE OR REPLACE FUNCTION reviews.look_at_head(tenant uuid, target text, repo text) RETURNS reviews.head_state
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  state      reviews.head_state;
  named      text := repo;
  unrecorded reviews.reviews;
BEGIN
  IF repo IS NULL THEN
    named := reviews.next_waiting_repository(tenant, target, '');
    IF reviews.next_waiting_repository(tenant, target, named) IS NOT NULL THEN
      PERFORM reviews.refuse_ambiguous(tenant, target);
    END IF;
    unrecorded := reviews.head_of(tenant, target, NULL);
  END IF;
  IF named IS NOT NULL THEN
    state.head := reviews.head_of(tenant, target, named);
  END IF;
  IF unrecorded.ticket IS NOT NULL AND ((state.head).ticket IS NULL OR unrecorded.ticket < (state.head).ticket) THEN
    state.head := unrecorded;
  END IF;
  state.occupant := reviews.occupant(tenant, target, named, repo IS NULL);
  RETURN state;
END
$$;
COMMENT ON FUNCTION reviews.look_at_head IS
  'Returns the head of the requested queue and the occupant of its slot. Without a repository, the head is the lower '
  'ticket of the one repository that waits and of the reviews that record none; refuses with MERGE_QUEUE_AMBIGUOUS if '
  'several repositories wait. The caller holds the queue''s lock.';
REVOKE ALL ON FUNCTION reviews.look_at_head FROM PUBLIC;
