-- What a queue does, and what became of its reviews, read from the log of moves.
-- Guarantees: the reads take as long beside a million moves as beside a thousand. Each new move has its number among the
-- moves of its cause in its queue (nth), so that two rows of the log count all moves between them. Each list has a
-- bound of its own.
-- On a live table: one column without a default, and a check that looks at new rows only. A row from before has no number;
-- the first move after it counts them once. The indexes are made after the migrations (concurrent-indexes.ts); until then
-- a move finds the number before its own by reading the log backwards. A trigger numbers the moves, so those of the
-- release before have numbers too.

SET ROLE plat_reviews_owner;

ALTER TABLE reviews.queue_moves ADD COLUMN nth bigint;
ALTER TABLE reviews.queue_moves ADD CONSTRAINT queue_moves_nth CHECK (nth > 0) NOT VALID;
COMMENT ON TABLE reviews.queue_moves IS
  'The log of the queues: one row a move, numbered by the queue''s version, with its cause, who made it, the build that '
  'is the cause and the reason that an override gave. Rows from before 0052 have none of these four. nth counts the '
  'moves of a cause in a queue, the repository''s own; rows from before 0080 have none. A trigger refuses '
  'a change or a deletion, so that the order of a queue can be proven afterwards (npm run invariants). '
  'reviews.page_history reads a review''s history from it.';

CREATE FUNCTION reviews.last_move(tenant uuid, target text, repo text, of_cause text, up_to bigint DEFAULT NULL)
RETURNS reviews.queue_moves
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  newest bigint := coalesce(up_to, 9223372036854775807);
  found  reviews.queue_moves;
BEGIN
  -- Two statements, because IS NOT DISTINCT FROM cannot use an index.
  IF repo IS NULL THEN
    SELECT * INTO found FROM reviews.queue_moves m
     WHERE m.tenant_id = tenant AND m.target_branch = target AND m.repository IS NULL AND m.cause = of_cause
       AND m.version <= newest
     ORDER BY m.version DESC LIMIT 1;
  ELSE
    SELECT * INTO found FROM reviews.queue_moves m
     WHERE m.tenant_id = tenant AND m.target_branch = target AND m.repository = repo AND m.cause = of_cause
       AND m.version <= newest
     ORDER BY m.version DESC LIMIT 1;
  END IF;
  RETURN found;
END
$$;
COMMENT ON FUNCTION reviews.last_move IS
  'Returns the last move of a cause in the queue of one repository, or, for NULL, of the reviews that record no '
  'repository, up to a version of the queue if one is given; an empty row if there is none.';

CREATE FUNCTION reviews.count_moves(tenant uuid, target text, repo text, of_cause text, up_to bigint DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  last reviews.queue_moves := reviews.last_move(tenant, target, repo, of_cause, up_to);
BEGIN
  IF last.version IS NULL OR last.nth IS NOT NULL THEN
    RETURN coalesce(last.nth, 0);
  END IF;
  -- Moves from before 0080 alone.
  RETURN (SELECT count(*) FROM reviews.queue_moves m
           WHERE m.tenant_id = tenant AND m.target_branch = target AND m.repository IS NOT DISTINCT FROM repo
             AND m.cause = of_cause AND m.version <= last.version);
END
$$;
COMMENT ON FUNCTION reviews.count_moves IS
  'Returns how many moves of a cause the queue of one repository, or of none, has had up to a version. It reads one row, '
  'unless that is from before 0080. reviews.number_move and reviews.queue_statistics call it.';

CREATE FUNCTION reviews.number_move() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  NEW.nth := CASE WHEN NEW.cause IS NOT NULL
    THEN 1 + reviews.count_moves(NEW.tenant_id, NEW.target_branch, NEW.repository, NEW.cause) END;
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION reviews.number_move IS
  'Trigger of each insert into reviews.queue_moves: numbers the move among those of its cause in its queue, under the '
  'lock that the move holds.';
CREATE TRIGGER number_move BEFORE INSERT ON reviews.queue_moves FOR EACH ROW EXECUTE FUNCTION reviews.number_move();

CREATE FUNCTION reviews.instant(at timestamp with time zone) RETURNS text
LANGUAGE sql STABLE
RETURN (to_json(at AT TIME ZONE 'UTC') #>> '{}') || 'Z';
COMMENT ON FUNCTION reviews.instant IS 'Returns a time as answers have it: RFC 3339 in UTC, to the microsecond.';

CREATE FUNCTION reviews.milliseconds(at timestamp with time zone) RETURNS double precision
LANGUAGE sql IMMUTABLE
RETURN extract(epoch FROM at)::double precision * 1000;
COMMENT ON FUNCTION reviews.milliseconds IS 'Returns a time as milliseconds since the epoch.';

CREATE FUNCTION reviews.next_logged_repository(tenant uuid, target text, after text) RETURNS text
LANGUAGE sql STABLE
AS $$
  SELECT m.repository FROM reviews.queue_moves m
   WHERE m.tenant_id = tenant AND m.target_branch = target AND m.repository > after
   ORDER BY m.repository LIMIT 1
$$;
COMMENT ON FUNCTION reviews.next_logged_repository IS
  'Returns the named repository after one, by name, that the log of a target branch has moves of; NULL after the last.';

CREATE FUNCTION reviews.queue_parts(tenant uuid, target text, repo text) RETURNS text[]
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  named text := reviews.next_waiting_repository(tenant, target, '');
BEGIN
  IF repo IS NOT NULL THEN
    RETURN ARRAY[repo];
  END IF;
  -- As reviews.look_at_head decides it.
  IF reviews.next_waiting_repository(tenant, target, named) IS NOT NULL THEN
    PERFORM reviews.refuse_ambiguous(tenant, target);
  END IF;
  IF named IS NULL THEN
    named := (reviews.occupant(tenant, target, NULL, true)).repository;
  END IF;
  IF named IS NULL THEN
    named := reviews.next_logged_repository(tenant, target, '');
    IF reviews.next_logged_repository(tenant, target, named) IS NOT NULL THEN
      named := NULL;
    END IF;
  END IF;
  RETURN CASE WHEN named IS NULL THEN ARRAY[NULL]::text[] ELSE ARRAY[named, NULL] END;
END
$$;
COMMENT ON FUNCTION reviews.queue_parts IS
  'Returns what makes up the queue that a caller means: the named repository alone; without a name the only repository '
  'that waits, else that of the slot, else the only one of the log, with NULL for the reviews that record none. Refuses '
  'with MERGE_QUEUE_AMBIGUOUS as reviews.advance does. reviews.queue_status calls it.';

CREATE FUNCTION reviews.history_parts(tenant uuid, target text, repo text) RETURNS text[]
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  named text[] := ARRAY[]::text[];
  next  text := '';
BEGIN
  IF repo IS NOT NULL THEN
    RETURN ARRAY[repo];
  END IF;
  LOOP
    next := reviews.next_logged_repository(tenant, target, next);
    EXIT WHEN next IS NULL;
    named := named || next;
  END LOOP;
  IF cardinality(named) > 1 THEN
    PERFORM tenancy.refuse('MERGE_QUEUE_AMBIGUOUS', jsonb_build_object(
      'targetBranch', target, 'repositories', to_jsonb(named), 'unrecordedRepositoryReviewIds', '[]'::jsonb));
  END IF;
  RETURN named || NULL::text;
END
$$;
COMMENT ON FUNCTION reviews.history_parts IS
  'Returns what makes up the history of a queue: the named repository alone; without a name the only one that the log '
  'names, with NULL for the moves that name none. Refuses with MERGE_QUEUE_AMBIGUOUS if the log names several. '
  'reviews.queue_statistics calls it.';

CREATE FUNCTION reviews.waiting_after(tenant uuid, target text, parts text[], after_ticket bigint, page integer)
RETURNS SETOF reviews.reviews
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  -- A statement for each kind of part, because IS NOT DISTINCT FROM cannot use an index.
  RETURN QUERY
    SELECT w.* FROM (
      (SELECT r.* FROM reviews.reviews r
        WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository = parts[1] AND r.status = 'READY'
          AND r.ticket > after_ticket
        ORDER BY r.ticket LIMIT page)
      UNION ALL
      (SELECT r.* FROM reviews.reviews r
        WHERE parts[cardinality(parts)] IS NULL AND r.tenant_id = tenant AND r.target_branch = target
          AND r.repository IS NULL AND r.status = 'READY' AND r.ticket > after_ticket
        ORDER BY r.ticket LIMIT page)) AS w
     ORDER BY w.ticket LIMIT page;
END
$$;
COMMENT ON FUNCTION reviews.waiting_after IS
  'Returns the reviews of a queue that wait, in its order, after a ticket. reviews.queue_status calls it.';

CREATE FUNCTION reviews.merges(tenant uuid, target text, parts text[], from_version bigint, to_version bigint, most integer)
RETURNS TABLE(version bigint, merged_at timestamp with time zone, promoted_version bigint,
  promoted_at timestamp with time zone, entry_version bigint, ready_at timestamp with time zone, ticket bigint)
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY
    SELECT m.version, m.created_at, p.version, p.created_at, e.version, e.created_at, e.ticket
      FROM (
        SELECT l.* FROM (
          (SELECT q.version, q.review_id, q.created_at FROM reviews.queue_moves q
            WHERE q.tenant_id = tenant AND q.target_branch = target AND q.repository = parts[1] AND q.cause = 'MERGED'
              AND q.version BETWEEN from_version AND to_version
            ORDER BY q.version DESC LIMIT most)
          UNION ALL
          (SELECT q.version, q.review_id, q.created_at FROM reviews.queue_moves q
            WHERE parts[cardinality(parts)] IS NULL AND q.tenant_id = tenant AND q.target_branch = target
              AND q.repository IS NULL AND q.cause = 'MERGED' AND q.version BETWEEN from_version AND to_version
            ORDER BY q.version DESC LIMIT most)) AS l
         ORDER BY l.version DESC LIMIT most) AS m
     -- A review that merged was promoted by the move before, and had entered by the one before that.
     CROSS JOIN LATERAL (
       SELECT q.version, q.created_at FROM reviews.queue_moves q
        WHERE q.tenant_id = tenant AND q.review_id = m.review_id AND q.version < m.version
        ORDER BY q.version DESC LIMIT 1) AS p
     CROSS JOIN LATERAL (
       SELECT q.version, q.created_at, q.ticket FROM reviews.queue_moves q
        WHERE q.tenant_id = tenant AND q.review_id = m.review_id AND q.version < p.version
        ORDER BY q.version DESC LIMIT 1) AS e
     ORDER BY m.version DESC;
END
$$;
COMMENT ON FUNCTION reviews.merges IS
  'Returns the last merges through a queue between two versions of it, newest first: when the review was merged, when it '
  'was promoted, and when and with which ticket it had entered. reviews.queue_status and reviews.queue_statistics call it.';

CREATE FUNCTION reviews.promotion_beside(tenant uuid, target text, parts text[], at_version bigint, later boolean)
RETURNS reviews.queue_moves
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  part  text;
  word  text;
  found reviews.queue_moves;
  best  reviews.queue_moves;
BEGIN
  FOREACH part IN ARRAY parts LOOP
    FOREACH word IN ARRAY ARRAY['PROMOTED', 'PROMOTED_BY_OVERRIDE'] LOOP
      IF NOT later THEN
        found := reviews.last_move(tenant, target, part, word, at_version - 1);
      ELSIF part IS NULL THEN
        SELECT * INTO found FROM reviews.queue_moves m
         WHERE m.tenant_id = tenant AND m.target_branch = target AND m.repository IS NULL AND m.cause = word
           AND m.version > at_version
         ORDER BY m.version LIMIT 1;
      ELSE
        SELECT * INTO found FROM reviews.queue_moves m
         WHERE m.tenant_id = tenant AND m.target_branch = target AND m.repository = part AND m.cause = word
           AND m.version > at_version
         ORDER BY m.version LIMIT 1;
      END IF;
      IF found.version IS NOT NULL AND (best.version IS NULL OR (found.version > best.version) <> later) THEN
        best := found;
      END IF;
    END LOOP;
  END LOOP;
  RETURN best;
END
$$;
COMMENT ON FUNCTION reviews.promotion_beside IS
  'Returns the promotion in a queue that is next to a version of it, before it or, if later is true, after it; an empty '
  'row if there is none.';

CREATE FUNCTION reviews.move_beside(tenant uuid, review uuid, at_version bigint, later boolean)
RETURNS TABLE(version bigint, moved_at timestamp with time zone)
LANGUAGE plpgsql STABLE ROWS 1
AS $$
BEGIN
  IF later THEN
    RETURN QUERY SELECT m.version, m.created_at FROM reviews.queue_moves m
      WHERE m.tenant_id = tenant AND m.review_id = review AND m.version > at_version ORDER BY m.version LIMIT 1;
  ELSE
    RETURN QUERY SELECT m.version, m.created_at FROM reviews.queue_moves m
      WHERE m.tenant_id = tenant AND m.review_id = review AND m.version < at_version ORDER BY m.version DESC LIMIT 1;
  END IF;
END
$$;
COMMENT ON FUNCTION reviews.move_beside IS
  'Returns the move of a review that is next to a version of its queue, before it or, if later is true, after it; no row '
  'if there is none.';

CREATE FUNCTION reviews.found_at_entry(tenant uuid, target text, parts text[], entry bigint, promoted bigint, place bigint)
RETURNS TABLE(turns bigint, turn_ready_at timestamp with time zone)
LANGUAGE plpgsql STABLE ROWS 1
AS $$
DECLARE
  holder reviews.queue_moves;
  held   boolean;
BEGIN
  -- The bound of what is read.
  IF promoted - entry > 1000 THEN
    RETURN;
  END IF;
  holder := reviews.promotion_beside(tenant, target, parts, entry, false);
  -- Each review that waited before it left the line until its promotion, with its own, lower ticket.
  turns := (SELECT count(*) FROM reviews.queue_moves m
             WHERE m.tenant_id = tenant AND m.target_branch = target AND m.version > entry AND m.version < promoted
               AND m.ticket < place AND m.move NOT IN ('ready', 'requeue')
               AND (m.repository = parts[1] OR m.repository IS NULL AND parts[cardinality(parts)] IS NULL));
  held := holder.version IS NOT NULL
    AND coalesce((SELECT n.version FROM reviews.move_beside(tenant, holder.review_id, holder.version, true) n), entry + 1) > entry;
  IF NOT held THEN
    -- The slot was free, so the next one to be promoted was at the head: the review itself, or one before it.
    holder := reviews.promotion_beside(tenant, target, parts, entry, true);
  END IF;
  turn_ready_at := (SELECT n.moved_at FROM reviews.move_beside(tenant, holder.review_id, holder.version, false) n);
  turns := turns + 1 + held::int;
  RETURN NEXT;
END
$$;
COMMENT ON FUNCTION reviews.found_at_entry IS
  'Returns what a review found when it entered a queue: how many turns were to come, with its own and that of the slot, '
  'and when the review whose turn it was had entered. No row if the wait took more than 1000 moves of the target branch. '
  'A review that was at the head and left the line without a promotion is overlooked. reviews.queue_status calls it.';

CREATE FUNCTION reviews.gate_of_slot(tenant uuid, review uuid, since timestamp with time zone)
RETURNS SETOF reviews.gate_runs
LANGUAGE sql STABLE
AS $$
  SELECT n.* FROM (
    SELECT g.* FROM reviews.gate_runs g
     WHERE g.tenant_id = tenant AND g.review_id = review AND g.created_at >= since
     ORDER BY g.created_at DESC, g.gate_run_id DESC LIMIT 200) AS n
   ORDER BY CASE n.verdict WHEN 'RUNNING' THEN 0 WHEN 'INCONCLUSIVE' THEN 2 ELSE 1 END, n.created_at DESC, n.gate_run_id DESC
   LIMIT 1
$$;
COMMENT ON FUNCTION reviews.gate_of_slot IS
  'Returns the gate run that says what a review at MERGE does, of the newest 200 since its promotion: the newest that is '
  'RUNNING, else the newest with a verdict, else the newest INCONCLUSIVE one; no row if there is none.';

CREATE FUNCTION reviews.queue_status(tenant uuid, target text, repo text, after_ticket bigint, page integer)
RETURNS TABLE(asked_at timestamp with time zone, repository text, version bigint, slot jsonb, freed_at timestamp with time zone,
  head jsonb, merges jsonb, entries jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  parts    text[] := reviews.queue_parts(tenant, target, repo);
  occupant reviews.reviews := reviews.occupant(tenant, target, parts[1], repo IS NULL);
  promoted reviews.queue_moves;
BEGIN
  asked_at := now();
  repository := parts[1];
  version := coalesce((SELECT q.version FROM reviews.queues q
                        WHERE q.tenant_id = tenant AND q.target_branch = target), 0);
  IF occupant.review_id IS NOT NULL THEN
    slot := (
      SELECT jsonb_build_object('review', to_jsonb(occupant), 'since', reviews.instant(p.moved_at),
               'readyAt', reviews.instant(e.moved_at), 'gate', (
                 SELECT jsonb_build_object('gateRunId', g.gate_run_id, 'verdict', g.verdict, 'since',
                          reviews.instant(CASE g.verdict WHEN 'RUNNING' THEN g.created_at ELSE g.updated_at END))
                   FROM reviews.gate_of_slot(tenant, occupant.review_id, p.moved_at) g))
        -- A review came to MERGE by its last move, and to READY by the one before.
        FROM reviews.move_beside(tenant, occupant.review_id, 9223372036854775807, false) p
       CROSS JOIN LATERAL reviews.move_beside(tenant, occupant.review_id, p.version, false) e);
  ELSE
    promoted := reviews.promotion_beside(tenant, target, parts, 9223372036854775807, false);
    freed_at := (SELECT n.moved_at FROM reviews.move_beside(tenant, promoted.review_id, promoted.version, true) n);
  END IF;
  head := (
    SELECT jsonb_build_object('since', reviews.instant(e.moved_at), 'openThreads', reviews.open_threads(w))
      FROM reviews.waiting_after(tenant, target, parts, 0, 1) w
     CROSS JOIN LATERAL reviews.move_beside(tenant, w.review_id, 9223372036854775807, false) e);
  merges := (
    SELECT jsonb_agg(jsonb_build_object(
             'readyAt', reviews.milliseconds(m.ready_at), 'promotedAt', reviews.milliseconds(m.promoted_at),
             'mergedAt', reviews.milliseconds(m.merged_at), 'found', (
               SELECT jsonb_build_object('turns', f.turns, 'turnReadyAt', reviews.milliseconds(f.turn_ready_at))
                 FROM reviews.found_at_entry(tenant, target, parts, m.entry_version, m.promoted_version, m.ticket) f
                WHERE m.place <= 20 AND m.ready_at >= now() - interval '7 days'))
           ORDER BY m.version DESC)
      FROM (SELECT l.*, row_number() OVER (ORDER BY l.version DESC) AS place
              FROM reviews.merges(tenant, target, parts, 0, 9223372036854775807, 51) l) AS m);
  entries := (
    SELECT jsonb_agg(to_jsonb(w) || jsonb_build_object(
             'since', reviews.instant(e.moved_at), 'openThreads', reviews.open_threads(w)) ORDER BY w.ticket)
      FROM reviews.waiting_after(tenant, target, parts, after_ticket, page) w
     CROSS JOIN LATERAL reviews.move_beside(tenant, w.review_id, 9223372036854775807, false) e);
  RETURN NEXT;
END
$$;
COMMENT ON FUNCTION reviews.queue_status IS
  'Returns one row about a queue of the tenant: its version, the review at MERGE with its clocks and gate run, when a '
  'free slot was freed, the head, the last merges with what the newest ones found when they entered, and a page of those '
  'that wait. Refuses with MERGE_QUEUE_AMBIGUOUS as reviews.queue_parts does. The reviews service calls it for GET '
  '/v1/reviews/merge-queue/status.';

CREATE FUNCTION reviews.version_at(tenant uuid, target text, at timestamp with time zone) RETURNS bigint
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  low    bigint := 0;
  high   bigint := coalesce((SELECT q.version FROM reviews.queues q
                              WHERE q.tenant_id = tenant AND q.target_branch = target), 0);
  middle bigint;
BEGIN
  -- Versions and times rise together, because both are taken under the queue's lock.
  WHILE low < high LOOP
    middle := (low + high + 1) / 2;
    IF (SELECT m.created_at FROM reviews.queue_moves m
         WHERE m.tenant_id = tenant AND m.target_branch = target AND m.version = middle) <= at THEN
      low := middle;
    ELSE
      high := middle - 1;
    END IF;
  END LOOP;
  RETURN low;
END
$$;
COMMENT ON FUNCTION reviews.version_at IS
  'Returns the version that a queue had at a time; 0 before its first move. reviews.queue_statistics calls it.';

CREATE FUNCTION reviews.durations(seconds double precision[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE
RETURN (
  SELECT jsonb_strip_nulls(jsonb_build_object('basis', count(*), 'meanSeconds', round(avg(s)::numeric, 3),
           'p50Seconds', round(percentile_cont(0.5) WITHIN GROUP (ORDER BY s)::numeric, 3),
           'p95Seconds', round(percentile_cont(0.95) WITHIN GROUP (ORDER BY s)::numeric, 3)))
    FROM unnest(seconds) AS s);
COMMENT ON FUNCTION reviews.durations IS
  'Returns number, mean, median and 95th percentile of durations, to the millisecond, as an answer has them.';

CREATE FUNCTION reviews.flaky_steps(tenant uuid, target text, parts text[], since timestamp with time zone,
  until timestamp with time zone) RETURNS jsonb
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN (
    SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('failingStep', f.failing_step, 'flakyRuns', f.flaky,
             'failingRuns', f.failing, 'lastAt', reviews.instant(f.last_at), 'lastGateRunId', f.last_run[1],
             'lastLogRef', f.last_run[2])) ORDER BY f.flaky DESC, f.last_at DESC, f.failing_step)
      FROM (
        SELECT g.failing_step, count(*) AS failing, count(*) FILTER (WHERE g.passed) AS flaky,
               max(g.created_at) FILTER (WHERE g.passed) AS last_at,
               ARRAY[(array_agg(g.gate_run_id::text ORDER BY g.created_at DESC) FILTER (WHERE g.passed))[1],
                     (array_agg(g.log_ref ORDER BY g.created_at DESC) FILTER (WHERE g.passed))[1]] AS last_run
          FROM (
            SELECT n.*, EXISTS (SELECT FROM reviews.gate_runs p
                                 WHERE p.tenant_id = tenant AND p.verdict = 'PASSED' AND p.merge_commit = n.merge_commit)
                     OR EXISTS (SELECT FROM reviews.gate_runs p
                                 WHERE p.tenant_id = tenant AND p.verdict = 'PASSED' AND p.source_commit = n.source_commit
                                   AND p.target_branch = n.target_branch) AS passed
              FROM (SELECT e.* FROM reviews.gate_runs e
                     WHERE e.tenant_id = tenant AND e.target_branch = target AND e.failing_step IS NOT NULL
                       AND e.created_at BETWEEN since AND until
                     ORDER BY e.created_at DESC LIMIT 1000) AS n
              LEFT JOIN reviews.reviews r ON r.tenant_id = tenant AND r.review_id = n.review_id
             WHERE r.repository = parts[1] OR r.repository IS NULL AND parts[cardinality(parts)] IS NULL) AS g
         GROUP BY g.failing_step
        HAVING count(*) FILTER (WHERE g.passed) > 0
         ORDER BY count(*) FILTER (WHERE g.passed) DESC, max(g.created_at) FILTER (WHERE g.passed) DESC
         LIMIT 50) AS f);
END
$$;
COMMENT ON FUNCTION reviews.flaky_steps IS
  'Returns the steps at which gate runs of a queue ended although another run of the same merge or source commit passed, '
  'the flakiest first: of the newest 1000 runs onto the target branch that ended at a step, 50 steps at most. A run '
  'without a review counts if no repository is named. reviews.queue_statistics calls it.';

CREATE FUNCTION reviews.queue_statistics(tenant uuid, target text, repo text, since timestamp with time zone,
  until timestamp with time zone)
RETURNS TABLE(repository text, from_time timestamp with time zone, to_time timestamp with time zone, outcomes jsonb,
  ready_to_merge jsonb, merge_to_merged jsonb, ready_to_merged jsonb, flaky_steps jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  parts   text[];
  earlier bigint;
  later   bigint;
BEGIN
  to_time := coalesce(until, now());
  from_time := coalesce(since, greatest(to_time - interval '30 days', '0001-01-01T00:00:00Z'));
  IF from_time > to_time THEN
    PERFORM tenancy.refuse('INVALID_QUERY', jsonb_build_object('field', 'since'), 'since must not be later than until.');
  ELSIF from_time < to_time - interval '90 days' THEN
    PERFORM tenancy.refuse('INVALID_QUERY', jsonb_build_object('field', 'since'),
      'since must be at most 90 days before until.');
  END IF;
  parts := reviews.history_parts(tenant, target, repo);
  repository := parts[1];
  earlier := reviews.version_at(tenant, target, from_time - interval '1 microsecond');
  later := reviews.version_at(tenant, target, to_time);
  outcomes := (
    SELECT jsonb_object_agg(counted.cause, counted.moves)
      FROM (SELECT c.cause, sum(reviews.count_moves(tenant, target, part, c.cause, later)
                                - reviews.count_moves(tenant, target, part, c.cause, earlier)) AS moves
              FROM unnest(ARRAY['BUILD_SUCCEEDED', 'PROMOTED', 'PROMOTED_BY_OVERRIDE', 'MERGED', 'RECONCILED',
                                'GATE_FAILED', 'BUILD_FAILED', 'REQUEUED', 'CLOSED']) AS c (cause),
                   unnest(parts) AS part
             GROUP BY c.cause) AS counted);
  SELECT reviews.durations(array_agg(extract(epoch FROM m.promoted_at - m.ready_at)::double precision)),
         reviews.durations(array_agg(extract(epoch FROM m.merged_at - m.promoted_at)::double precision)),
         reviews.durations(array_agg(extract(epoch FROM m.merged_at - m.ready_at)::double precision))
    INTO ready_to_merge, merge_to_merged, ready_to_merged
    FROM reviews.merges(tenant, target, parts, earlier + 1, later, 500) m;
  flaky_steps := reviews.flaky_steps(tenant, target, parts, from_time, to_time);
  RETURN NEXT;
END
$$;
COMMENT ON FUNCTION reviews.queue_statistics IS
  'Returns one row about a time of 90 days at most, by default the last 30: how many moves of each cause a queue of the '
  'tenant had, how long the newest 500 merges took, and its flaky steps. Refuses with INVALID_QUERY a time that is '
  'longer or ends before it begins, and with MERGE_QUEUE_AMBIGUOUS as reviews.history_parts does. The reviews service '
  'calls it for GET /v1/reviews/merge-queue/statistics.';

REVOKE ALL ON FUNCTION
  reviews.last_move(uuid, text, text, text, bigint), reviews.count_moves(uuid, text, text, text, bigint),
  reviews.number_move(), reviews.instant(timestamp with time zone), reviews.milliseconds(timestamp with time zone),
  reviews.next_logged_repository(uuid, text, text), reviews.queue_parts(uuid, text, text),
  reviews.history_parts(uuid, text, text), reviews.waiting_after(uuid, text, text[], bigint, integer),
  reviews.merges(uuid, text, text[], bigint, bigint, integer),
  reviews.promotion_beside(uuid, text, text[], bigint, boolean), reviews.move_beside(uuid, uuid, bigint, boolean),
  reviews.found_at_entry(uuid, text, text[], bigint, bigint, bigint),
  reviews.gate_of_slot(uuid, uuid, timestamp with time zone),
  reviews.queue_status(uuid, text, text, bigint, integer), reviews.version_at(uuid, text, timestamp with time zone),
  reviews.durations(double precision[]),
  reviews.flaky_steps(uuid, text, text[], timestamp with time zone, timestamp with time zone),
  reviews.queue_statistics(uuid, text, text, timestamp with time zone, timestamp with time zone) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  reviews.queue_status(uuid, text, text, bigint, integer),
  reviews.queue_statistics(uuid, text, text, timestamp with time zone, timestamp with time zone) TO plat_reviews;

RESET ROLE;
