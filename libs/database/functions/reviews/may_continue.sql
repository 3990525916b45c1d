CREATE OR REPLACE FUNCTION reviews.may_continue(subject reviews.reviews) RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  state reviews.head_state;
BEGIN
  IF subject.repository IS NULL AND reviews.next_waiting_repository(subject.tenant_id, subject.target_branch,
       reviews.next_waiting_repository(subject.tenant_id, subject.target_branch, '')) IS NOT NULL THEN
    RETURN false;
  END IF;
  state := reviews.look_at_head(subject.tenant_id, subject.target_branch, subject.repository);
  RETURN (state.head).review_id = subject.review_id AND (state.occupant).review_id IS NULL
     AND reviews.open_threads(subject) = 0;
END
$$;
COMMENT ON FUNCTION reviews.may_continue IS
  'Returns whether a review that has just become READY may go on to MERGE: it is the head of its queue, the slot is '
  'free and no thread is OPEN. It never refuses. reviews.apply_build asks it.';
REVOKE ALL ON FUNCTION reviews.may_continue FROM PUBLIC;
