-- A comment on each function, table and type of reviews, as 0048 has them for tenancy and identity.
-- Changes no body, right or row. On a live table: SHARE UPDATE EXCLUSIVE, as 0048, which stops no reader and no writer.

SET ROLE plat_reviews_owner;

COMMENT ON SCHEMA reviews IS
  'Reviews, their reviewers and comments, the merge queue, gate runs, and the records of verified merges. The '
  'reviews service is its only writer; a build report moves a review by reviews.apply_build.';

COMMENT ON TABLE reviews.queues IS
  'One row a (tenant, target branch), whose lock every move of the queue holds. It counts moves (version), tickets '
  'and merges. The repositories of a branch share it. Triggers refuse a change that the log does not have, and a '
  'deletion.';
COMMENT ON TABLE reviews.reviews IS
  'One row a review. Indexes allow one live name and one live pair of branches a repository, and one review at MERGE '
  'a repository and target. Triggers judge every change of the row (reviews.judge_move) and refuse a deletion.';
COMMENT ON TABLE reviews.queue_moves IS
  'The log of the queues: one row a move, numbered by the queue''s version. A trigger refuses a change or a '
  'deletion, so that the order of a queue can be proven afterwards (npm run invariants).';
COMMENT ON TABLE reviews.reviewers IS 'Who is assigned to review what. An assignment that is taken back is deleted.';
COMMENT ON TABLE reviews.comments IS
  'Comments on a line of a commit. A root opens a thread and has its status; a reply names its root and has none. An '
  'index allows one thread an address.';
COMMENT ON TABLE reviews.verifications IS
  'Why each MERGED is believed: one row a merged review, with what git showed and the verdict on the content. A '
  'trigger judges it (reviews.judge_verification), and another refuses a deletion.';
COMMENT ON TABLE reviews.gate_runs IS
  'Reported attempts of the merge gate. They never move a review. An index allows one held run that is RUNNING a '
  'review.';
COMMENT ON TABLE reviews.later_contents IS
  'The verdict on the content of a merge whose verification did not compute it (not_computed): one row a merge, the '
  'first that is computed. A merge receipt takes it instead of the verdict in reviews.verifications.';
COMMENT ON TYPE reviews.head_state IS
  'What a promotion finds: the review at the head of the queue, and the review that occupies its slot. A part is '
  'empty if there is none.';

COMMENT ON FUNCTION reviews.lock_queue IS
  'Takes the lock of a target branch''s queue until the transaction ends, and makes the queue if it has none. The '
  'lock order is queue, review, then what hangs on it.';
COMMENT ON FUNCTION reviews.lock_review IS
  'Takes the lock of a review''s queue, then of the review, and returns the review as it now stands; no row if the '
  'tenant has none of that id. Every function that moves a review by its id calls it.';
COMMENT ON FUNCTION reviews.log_move IS
  'Logs a move of a review under the next version of its queue and raises the queue''s counters by it. Returns the '
  'number of the merge for a merge, else the last ticket, which a move to READY has just taken. Each move calls it '
  'before it changes the review; the caller holds the queue''s lock.';
COMMENT ON FUNCTION reviews.make_ready IS
  'Moves a review to READY at the tail of its queue, by a build or, if build is NULL, by a requeue. Returns it as it '
  'then stands. The caller holds the queue''s lock.';
COMMENT ON FUNCTION reviews.fail IS
  'Moves a review to FAILED by a build, and frees its place or slot. Returns it as it then stands. The caller holds '
  'the queue''s lock.';
COMMENT ON FUNCTION reviews.close IS
  'Moves a review to CLOSED, and frees its place. Returns it as it then stands. The caller holds the queue''s lock.';
COMMENT ON FUNCTION reviews.promote IS
  'Moves a review to MERGE. Returns it as it then stands. The caller holds the queue''s lock and has looked at the '
  'head. reviews.advance and reviews.apply_build call it.';
COMMENT ON FUNCTION reviews.head_of IS
  'Returns the waiting review with the lowest ticket of one repository, or, for NULL, of the reviews that record no '
  'repository; an empty row if none waits.';
COMMENT ON FUNCTION reviews.next_waiting_repository IS
  'Returns the first repository, in order after the given one, for which a review waits; NULL if there is none. The '
  'empty text is before all of them.';
COMMENT ON FUNCTION reviews.refuse_ambiguous IS
  'Refuses with MERGE_QUEUE_AMBIGUOUS, whose details name the repositories that wait and the waiting reviews that '
  'record none. reviews.look_at_head calls it.';
COMMENT ON FUNCTION reviews.occupant IS
  'Returns the review at MERGE that holds the slot of a repository; an empty row if the slot is free. If unnamed, a '
  'review that records no repository holds it too, and with no repository at all any review at MERGE does.';
COMMENT ON FUNCTION reviews.look_at_head IS
  'Returns the head of the queue that is meant and the occupant of its slot. Without a repository, the head is the '
  'lower ticket of the one repository that waits and of the reviews that record none; refuses with '
  'MERGE_QUEUE_AMBIGUOUS if several repositories wait. The caller holds the queue''s lock.';
COMMENT ON FUNCTION reviews.open_threads IS
  'Returns how many comment threads of a review are OPEN. Promotions ask it.';
COMMENT ON FUNCTION reviews.may_continue IS
  'Returns whether a review that has just become READY may go on to MERGE: it is the head of its queue, the slot is '
  'free and no thread is OPEN. It never refuses. reviews.apply_build asks it.';
COMMENT ON FUNCTION reviews.advance IS
  'Promotes the head of a queue to MERGE and returns it. Refuses with MERGE_QUEUE_AMBIGUOUS, MERGE_QUEUE_OCCUPIED or '
  'EMPTY_QUEUE and, unless override, with unresolved_threads if a thread of the head is OPEN. The reviews service '
  'calls it for POST /v1/reviews/merge-queue/advance and override-advance.';

COMMENT ON FUNCTION reviews.begin_build_report IS
  'Takes the locks of reviews.lock_review and returns the name of the review, or NULL if the tenant has none of that '
  'id. builds.report_review_build calls it before it stores the report.';
COMMENT ON FUNCTION reviews.apply_build IS
  'Moves a review by a build that is stored, in the transaction of its report: green and RECORDED to READY, and on '
  'to MERGE if reviews.may_continue; red of any kind to FAILED. It reads kind and outcome from the stored build and '
  'ignores its last two parameters. builds.report_review_build calls it.';
COMMENT ON FUNCTION reviews.expect_build IS
  'Refuses with NOT_FOUND unless the build is of that review and has that outcome; its kind does not matter.';
COMMENT ON FUNCTION reviews.begin_move IS
  'Takes the locks of reviews.lock_review and returns the review; no row if the tenant has none of that id. The '
  'reviews service calls it first for PATCH /v1/reviews/{review_id}/status, and decides under the lock.';
COMMENT ON FUNCTION reviews.ready_by_build IS
  'Moves a review to READY at the tail by a green build of it, and returns it. Refuses with NOT_FOUND as '
  'reviews.expect_build does. The reviews service calls it for PATCH status READY.';
COMMENT ON FUNCTION reviews.fail_by_build IS
  'Moves a review to FAILED by a red build of it, and returns it. Refuses with NOT_FOUND as reviews.expect_build '
  'does. The reviews service calls it for PATCH status FAILED.';
COMMENT ON FUNCTION reviews.requeue IS
  'Moves a review back to READY at the tail, and returns it. The reviews service calls it for PATCH status READY '
  'without a build, for a review that it has seen at MERGE.';
COMMENT ON FUNCTION reviews.close_review IS
  'Moves a review to CLOSED, and returns it. The trigger refuses it for a review at MERGE, MERGED or CLOSED. The '
  'reviews service calls it for PATCH status CLOSED.';

COMMENT ON FUNCTION reviews.anchor IS
  'Returns the commit of the last merge through the queue of a target and repository, from which the next one must '
  'descend; NULL if there is none.';
COMMENT ON FUNCTION reviews.merge_case IS
  'Returns at one moment what a MERGED report is judged on beside git: the review, the build that is named, and the '
  'anchor of the repository that is named. No row if the tenant has no such review. The reviews service reads it '
  'before it asks the verifier.';
COMMENT ON FUNCTION reviews.record_verification IS
  'Stores why a merge is believed, before its review becomes MERGED. The proof is a JSON object in the fields of '
  'MergeProof (apps/reviews); without a build the merge is a reconciliation.';
COMMENT ON FUNCTION reviews.accept_queue_merge IS
  'Moves a review from MERGE to MERGED as verified, queues its release under a savepoint, and returns the review '
  'with the error of the release, if any. No row, and no change, if status, repository or anchor are no longer those '
  'of the judgement. The reviews service calls it with what the verifier has confirmed.';
COMMENT ON FUNCTION reviews.accept_history_merge IS
  'Moves a review to MERGED by reconciliation as verified, and returns it; it sets no anchor and queues no release. '
  'No row, and no change, if status or repository are no longer those of the judgement. The reviews service calls it '
  'with what the verifier has confirmed.';
COMMENT ON FUNCTION reviews.record_later_content IS
  'Stores the verdict on the content of a merge whose verification did not compute it, and returns the row. No row '
  'if there is one already, if the verdict was computed with the merge, or if it is about another commit than the '
  'reported one. The reviews service calls it a little after the merge, and when a receipt is read.';
COMMENT ON FUNCTION reviews.get_merge_receipt IS
  'Returns what the receipt of a visible review is made of: the review, its verification and, if there is one, its '
  'later verdict. Before MERGED the fields of the verification are NULL. The reviews service calls it for GET '
  '/v1/reviews/{review_id}/merge-receipt and for a later verdict.';

COMMENT ON FUNCTION reviews.expect IS
  'Raises integrity_constraint_violation with the rule as its message unless the condition is true. It is no refusal '
  'of the API: no function of this schema runs into it unless its caller is wrong. The triggers call it.';
COMMENT ON FUNCTION reviews.judge_new_review IS
  'Trigger of an insert into reviews.reviews: raises integrity_constraint_violation unless the new review is OPEN.';
COMMENT ON FUNCTION reviews.judge_move IS
  'Trigger of each update of reviews.reviews: raises integrity_constraint_violation unless the review keeps what it '
  'was created with, moves along its state machine, has the last entry of its queue''s log as its move, and '
  'satisfies reviews.judge_ground.';
COMMENT ON FUNCTION reviews.judge_ground IS
  'Raises integrity_constraint_violation unless READY rests on a green build of the review, FAILED on a red one, and '
  'MERGED on the record of its verification. reviews.judge_move calls it.';
COMMENT ON FUNCTION reviews.judge_queue IS
  'Trigger of an insert into or an update of reviews.queues: raises integrity_constraint_violation unless a new '
  'queue stands at zero, and each change raises the counters by exactly one entry of the log.';
COMMENT ON FUNCTION reviews.judge_verification IS
  'Trigger of an insert into or an update of reviews.verifications. Raises integrity_constraint_violation unless a '
  'record through the queue is of a review at MERGE, by the green GATE build of its commit, after the queue''s '
  'anchor, and a reconciliation is of a review at OPEN, READY or FAILED. An update may only complete a record whose '
  'verdict is UNKNOWN.';
COMMENT ON FUNCTION reviews.refuse_change IS
  'Trigger: raises integrity_constraint_violation for every row. It stands before the deletion of reviews, queues '
  'and verifications, and before each change of the log.';

COMMENT ON FUNCTION reviews.create_review IS
  'Adds an OPEN review by the transaction''s user, whatever author is given, and returns it. A taken name violates '
  'reviews_live_name, a taken pair of branches reviews_live_pair. The reviews service calls it for POST /v1/reviews.';
COMMENT ON FUNCTION reviews.get_review IS
  'Returns one visible review, or no row. The reviews service calls it for GET /v1/reviews/{review_id}.';
COMMENT ON FUNCTION reviews.review_exists IS
  'Returns whether a review of that id is visible. The listings of what a review has and releases.enqueue ask it '
  'before they refuse with NOT_FOUND.';
COMMENT ON FUNCTION reviews.page_reviews IS
  'Returns one page of the visible reviews, newest first, after the given place; a NULL filter asks for nothing. The '
  'reviews service calls it for GET /v1/reviews.';
COMMENT ON FUNCTION reviews.page_merge_queue IS
  'Returns one page of the reviews that wait, each queue in its order, after the given place; a later page leaves '
  'out a review that has moved since the moment as_of of the first page. The reviews service calls it for GET '
  '/v1/reviews/merge-queue.';
COMMENT ON FUNCTION reviews.list_reviews IS
  'Returns all visible reviews that the filters ask for. It serves only a release from before 0020; '
  'tenancy.end_transition takes it from the login.';
COMMENT ON FUNCTION reviews.list_merge_queue IS
  'Returns all visible reviews that wait. It serves only a release from before 0020; tenancy.end_transition takes it '
  'from the login.';

COMMENT ON FUNCTION reviews.add_reviewer IS
  'Assigns a user to a review and returns the assignment. Foreign keys refuse a review or user of another tenant, '
  'the primary key a second assignment. The reviews service calls it for POST /v1/reviews/{review_id}/reviewers.';
COMMENT ON FUNCTION reviews.remove_reviewer IS
  'Takes an assignment back; returns false if there was none. The reviews service calls it for DELETE '
  '/v1/reviews/{review_id}/reviewers/{user_id}.';
COMMENT ON FUNCTION reviews.page_reviewers IS
  'Returns one page of a visible review''s reviewers, oldest assignment first, after the given place. Refuses with '
  'NOT_FOUND if no such review is visible. The reviews service calls it for GET /v1/reviews/{review_id}/reviewers.';

COMMENT ON FUNCTION reviews.hold_review IS
  'Holds a review as it is until the transaction ends, so that a promotion waits while a thread is opened; returns '
  'false if the tenant has no such review. The reviews service calls it before it opens or reopens a thread.';
COMMENT ON FUNCTION reviews.create_comment IS
  'Adds a comment of the transaction''s user and returns it; without a parent it opens a thread. A second thread at '
  'an address violates comments_one_root, a parent in another review its foreign key. The reviews service calls it '
  'for POST /v1/reviews/{review_id}/comments.';
COMMENT ON FUNCTION reviews.lock_comment IS
  'Returns one comment of a review and keeps it from changing until the transaction ends; no row if there is none. '
  'The reviews service calls it before it replies to a thread, closes or reopens one.';
COMMENT ON FUNCTION reviews.set_thread_status IS
  'Closes or reopens a thread and returns its root; no row unless the transaction''s user opened it. The reviews '
  'service calls it for PATCH /v1/reviews/{review_id}/comments/{comment_id}/status.';
COMMENT ON FUNCTION reviews.page_comments IS
  'Returns one page of a visible review''s comments by commit, file, line and time, after the given place. Refuses '
  'with NOT_FOUND if no such review is visible. The reviews service calls it for GET '
  '/v1/reviews/{review_id}/comments.';

COMMENT ON FUNCTION reviews.create_gate_run IS
  'Adds a gate run of the transaction''s user and returns it. Refuses with NOT_FOUND for a review that the tenant '
  'does not have, and a held run with GATE_RUN_HELD, whose details name the holder, if another held run of the '
  'review is RUNNING. The reviews service calls it for POST /v1/gate-runs.';
COMMENT ON FUNCTION reviews.decide_gate_run IS
  'Gives a RUNNING gate run its verdict and returns it; no row if the tenant has none of that id. Refuses with '
  'GATE_RUN_ALREADY_DECIDED if another verdict came first. The reviews service calls it for PATCH '
  '/v1/gate-runs/{gate_run_id}.';
COMMENT ON FUNCTION reviews.get_gate_run IS
  'Returns one visible gate run, or no row. The reviews service calls it for GET /v1/gate-runs/{gate_run_id}.';
COMMENT ON FUNCTION reviews.list_gate_runs IS
  'Returns one page of the visible gate runs, newest first, after the given place; a NULL filter asks for nothing. '
  'The reviews service calls it for GET /v1/gate-runs.';
RESET ROLE;
