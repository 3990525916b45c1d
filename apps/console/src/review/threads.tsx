import { useApp } from '../app-context';
import { Badge } from '../parts/badge';
import { Command } from '../parts/command';
import { NeverUsed } from '../parts/empty';
import { Section } from '../parts/page';
import { PartList } from '../parts/part-list';
import { Rows } from '../parts/rows';
import { Ago, Commit, Lines, Name } from '../parts/text';
import type { Comment } from '../reads/shapes';
import type { Part } from './read-review';

interface Thread {
  root: Comment;
  replies: Comment[];
}

/** Comment threads, the open ones first: those hold the review back. */
export function Threads({ reviewId, comments }: { reviewId: string; comments: Part<Comment[]> }) {
  const threads = comments.content && threadsOf(comments.content);
  const open = threads?.filter(({ root }) => root.status === 'OPEN').length ?? 0;
  return (
    <Section title="Threads">
      <PartList
        rows={threads}
        failure={comments.failure}
        empty={
          <NeverUsed commands={[`plat review comment ${reviewId} --help`]}>It has no comments.</NeverUsed>
        }
      >
        {(rows) => (
          <>
            <p data-empty={open === 0 ? 'nothing' : undefined}>
              {open === 0
                ? 'No thread is open.'
                : `${open} open. It is not promoted until its threads are closed.`}
            </p>
            <Rows of={rows}>{(thread) => <ThreadRow key={thread.root.commentId} thread={thread} />}</Rows>
            {open > 0 && <Command text={`plat review comments ${reviewId}`} />}
          </>
        )}
      </PartList>
    </Section>
  );
}

function threadsOf(comments: readonly Comment[]): Thread[] {
  const threads = new Map<string, Thread>();
  for (const root of comments) {
    if (root.parentCommentId === undefined) threads.set(root.commentId, { root, replies: [] });
  }
  for (const reply of comments) {
    if (reply.parentCommentId !== undefined) threads.get(reply.parentCommentId)?.replies.push(reply);
  }
  return [...threads.values()].sort(
    (a, b) => Number(b.root.status === 'OPEN') - Number(a.root.status === 'OPEN'),
  );
}

function ThreadRow({ thread: { root, replies } }: { thread: Thread }) {
  return (
    <li>
      <Badge word={root.status ?? 'OPEN'} /> <Name text={root.filePath} />:{root.line} at{' '}
      <Commit id={root.commitId} />
      <Said comment={root} />
      <Rows of={replies}>
        {(reply) => (
          <li key={reply.commentId}>
            <Said comment={reply} />
          </li>
        )}
      </Rows>
    </li>
  );
}

function Said({ comment: { creatorUserId, createdAt, body } }: { comment: Comment }) {
  const { usernameOf } = useApp();
  return (
    <blockquote>
      <Name text={usernameOf(creatorUserId) ?? creatorUserId} />, <Ago at={createdAt} />
      <Lines text={body} />
    </blockquote>
  );
}
