import { Badge } from '../parts/badge';
import { Command } from '../parts/command';
import { NotPermitted } from '../parts/empty';
import { Fact } from '../parts/fact';
import { Section } from '../parts/page';
import { Ago, Commit, Name } from '../parts/text';
import type { MergeReceipt, Review } from '../reads/shapes';
import type { Part } from './read-review';

type Finding = NonNullable<MergeReceipt['findings']>[number];

interface ReceiptProps {
  review: Review;
  receipt?: Part<MergeReceipt> | undefined;
}

/** Why a merge was believed and what landed, signed by the service, and how to check it without the service. */
export function Receipt({ review, receipt }: ReceiptProps) {
  return (
    <Section title="Receipt">
      {receipt === undefined && (
        <p class="empty" data-empty="nothing">
          It has not landed. A receipt comes with MERGED.
        </p>
      )}
      {receipt?.failure?.kind === 'forbidden' && <NotPermitted route={receipt.failure.facts.route} />}
      {receipt?.failure !== undefined && receipt.failure.kind !== 'forbidden' && (
        <p class="empty">{receipt.failure.message}</p>
      )}
      {receipt?.content !== undefined && <Statement statement={receipt.content} />}
      {review.status === 'MERGED' && (
        <>
          <p>Check it against the repository yourself, without trusting this service:</p>
          <Command text={`plat review verify ${review.reviewId}`} />
        </>
      )}
    </Section>
  );
}

const KINDS: Readonly<Record<string, string>> = { by_hand: 'decided by hand', earlier: 'brought before' };

function FindingPlace({ kind, path, firstLine, lastLine, commitId }: Finding) {
  return (
    <li key={`${kind} ${path} ${firstLine} ${commitId}`}>
      {KINDS[kind] ?? kind}: <Name text={path} />
      {firstLine !== undefined && `, lines ${firstLine} to ${lastLine ?? firstLine}`}
      {commitId !== undefined && (
        <>
          , by <Commit id={commitId} />
        </>
      )}
    </li>
  );
}

function Statement({ statement }: { statement: MergeReceipt }) {
  const { findings = [], findingsLeftOut = 0 } = statement;
  return (
    <>
      <p>
        <Badge word={statement.contentVerdict} />{' '}
        {statement.contentReason !== undefined && <code>{statement.contentReason}</code>}
      </p>
      <dl>
        <Fact term="Verified">
          <Ago at={statement.verifiedAt} />,{' '}
          {statement.route === 'queue' ? 'through the queue' : 'without the queue'}
        </Fact>
        <Fact term="Conditions">{statement.conditions.join(', ') || 'not kept'}</Fact>
        <Fact term="Read from">
          <Name text={statement.remoteUrl} />
        </Fact>
        {statement.commitId !== undefined && (
          <Fact term="Landed">
            <Commit id={statement.commitId} />
          </Fact>
        )}
        <Fact term="Target tip">
          <Commit id={statement.targetTip} />
        </Fact>
      </dl>
      {findings.length > 0 && <ul class="plain">{findings.map(FindingPlace)}</ul>}
      {findingsLeftOut > 0 && <p>{findingsLeftOut} more.</p>}
      <details>
        <summary>The signature</summary>
        <pre class="lines">{statement.jws}</pre>
      </details>
    </>
  );
}
