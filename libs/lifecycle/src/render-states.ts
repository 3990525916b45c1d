import {
  GATE_RUN_VERDICTS,
  RELEASE_STATUSES,
  REVIEW_STATUSES,
  type ReviewStatus,
} from '@plat/contracts/core';
import { validVerdicts } from './gate-run-verdict';
import { RELEASE_TRIGGERS, type ReleaseEffect, releaseEffect } from './release-transitions';
import type { ReviewEffect } from './review-effect';
import { REVIEW_STATUS_MEANING } from './review-status';
import { REVIEW_TRIGGERS, reviewEffect, validTargetsByPatch } from './review-transitions';

/** `docs/states.md`: diagrams and tables of every state machine, written from the tables that the code runs by. */
export function renderStates(): string {
  return [
    '# States',
    'Written by `npm run generate` from `libs/lifecycle`; edit the tables there.',
    '## Review',
    list(REVIEW_STATUSES.map((status) => `**${status}**: ${REVIEW_STATUS_MEANING[status]}`)),
    diagram(reviewEdges()),
    'What each trigger does at each status (· leaves the review as it is):',
    table(
      ['Trigger', ...REVIEW_STATUSES],
      REVIEW_TRIGGERS.map((trigger) => [
        `\`${trigger}\``,
        ...REVIEW_STATUSES.map((status) => describeEffect(reviewEffect(status, trigger))),
      ]),
    ),
    'Statuses a PATCH may assert:',
    table(
      ['Review at', 'Valid targets'],
      REVIEW_STATUSES.map((status) => [status, validTargetsByPatch(status).join(', ') || 'none']),
    ),
    '## Release',
    diagram(releaseEdges()),
    table(
      ['Trigger', ...RELEASE_STATUSES],
      RELEASE_TRIGGERS.map((trigger) => [
        `\`${trigger}\``,
        ...RELEASE_STATUSES.map((status) => describeRelease(releaseEffect(status, trigger))),
      ]),
    ),
    '## Gate run',
    diagram([
      '[*] --> RUNNING',
      ...GATE_RUN_VERDICTS.flatMap((from) => validVerdicts(from).map((to) => `${from} --> ${to}`)),
    ]),
  ]
    .join('\n\n')
    .concat('\n');
}

function reviewEdges(): string[] {
  const edges = REVIEW_STATUSES.flatMap((from) => {
    const triggersByTarget = new Map<ReviewStatus, string[]>();
    for (const trigger of REVIEW_TRIGGERS) {
      const effect = reviewEffect(from, trigger);
      if (effect.kind !== 'move' || effect.to === from) continue;
      triggersByTarget.set(effect.to, [...(triggersByTarget.get(effect.to) ?? []), trigger]);
    }
    return [...triggersByTarget].map(([to, triggers]) => `${from} --> ${to}: ${triggers.join(', ')}`);
  });
  return ['[*] --> OPEN', ...edges, 'MERGED --> [*]', 'CLOSED --> [*]'];
}

function releaseEdges(): string[] {
  const edges = RELEASE_STATUSES.flatMap((from) =>
    RELEASE_TRIGGERS.flatMap((trigger) => {
      const { to } = releaseEffect(from, trigger);
      return to ? [`${from} --> ${to}: ${trigger}`] : [];
    }),
  );
  return ['[*] --> queued', ...edges, 'released --> [*]'];
}

function describeEffect(effect: ReviewEffect): string {
  switch (effect.kind) {
    case 'unchanged':
      return '·';
    case 'refuse':
      return effect.field ? `${effect.code} (${effect.field})` : effect.code;
    case 'move':
      return [
        `**${effect.to}**`,
        effect.verifies && `if verified (${effect.verifies})`,
        effect.joinsTail && 'at the tail',
        effect.records && `sets ${effect.records}`,
        effect.continuesToMerge && 'on to MERGE if the queue is idle',
        effect.enqueuesRelease && 'enqueues a release',
      ]
        .filter(Boolean)
        .join(', ');
  }
}

function describeRelease(effect: ReleaseEffect): string {
  if (!effect.to) return '·';
  const parts = [
    `**${effect.to}**`,
    effect.countsAttempt && 'attempt + 1',
    effect.sets && `sets ${effect.sets}`,
  ];
  return parts.filter(Boolean).join(', ');
}

function list(items: string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function diagram(edges: string[]): string {
  return ['```mermaid', 'stateDiagram-v2', ...edges.map((edge) => `  ${edge}`), '```'].join('\n');
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
