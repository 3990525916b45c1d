CREATE OR REPLACE FUNCTION reviews.judge_verification() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  subject reviews.reviews;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    -- A verdict that could not be computed may be computed later; why the merge was believed is never changed.
    PERFORM reviews.expect(OLD.content_verdict = 'UNKNOWN'
      AND (NEW.tenant_id, NEW.review_id, NEW.route, NEW.remote_url, NEW.repository, NEW.target_branch, NEW.target_tip,
           NEW.conditions, NEW.created_at)
        = (OLD.tenant_id, OLD.review_id, OLD.route, OLD.remote_url, OLD.repository, OLD.target_branch, OLD.target_tip,
           OLD.conditions, OLD.created_at)
      AND (NEW.build_id, NEW.anchor_commit_id, NEW.release_error)
          IS NOT DISTINCT FROM (OLD.build_id, OLD.anchor_commit_id, OLD.release_error)
      AND (OLD.commit_id IS NULL OR NEW.commit_id = OLD.commit_id)
      AND (OLD.source_tip IS NULL OR NEW.source_tip = OLD.source_tip)
      AND (OLD.tree_id IS NULL OR NEW.tree_id = OLD.tree_id)
      AND (OLD.parent_commit_id IS NULL OR NEW.parent_commit_id = OLD.parent_commit_id),
      'the record of a verification is not changed');
    RETURN NEW;
  END IF;
  SELECT * INTO subject FROM reviews.reviews r WHERE r.tenant_id = NEW.tenant_id AND r.review_id = NEW.review_id;
  PERFORM reviews.expect(NEW.target_branch = subject.target_branch
    AND (subject.repository IS NULL OR subject.repository = NEW.repository),
    'a verification is about the review''s own target and repository');
  IF NEW.route = 'queue' THEN
    PERFORM reviews.expect(subject.status = 'MERGE'
      AND NEW.anchor_commit_id IS NOT DISTINCT FROM reviews.anchor(NEW.tenant_id, NEW.target_branch, NEW.repository)
      AND EXISTS (SELECT FROM builds.build_facts(NEW.tenant_id, NEW.build_id) f
                   WHERE f.review_id = NEW.review_id AND f.kind = 'GATE' AND f.successful AND f.commit_id = NEW.commit_id),
      'a merge through the queue is that of a review at MERGE, by its successful GATE build, after the queue''s anchor');
  ELSE
    PERFORM reviews.expect(subject.status IN ('OPEN', 'READY', 'FAILED'), 'only a review that is not at MERGE is reconciled');
  END IF;
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION reviews.judge_verification IS
  'Trigger of an insert into or an update of reviews.verifications. Raises integrity_constraint_violation unless a '
  'record through the queue is of a review at MERGE, by the green GATE build of its commit, after the queue''s '
  'anchor, and a reconciliation is of a review at OPEN, READY or FAILED. An update may only complete a record whose '
  'verdict is UNKNOWN.';
REVOKE ALL ON FUNCTION reviews.judge_verification FROM PUBLIC;
