import { Counter } from 'prom-client';
import { GATE_RUN_VERDICTS, type GateRunVerdict } from '@plat/contracts/core';
import { registerSharedFigures, type ServiceContext } from '@plat/service';

/** A row of figures.merge_queues. */
interface MergeQueues {
  waiting: number;
  merging: number;
  head_age_seconds: number;
  slot_age_seconds: number;
  slot_age_to_p95: number;
}

/** A row of figures.queue_times. */
interface QueueTime {
  outcome: string;
  reviews: number;
  median_seconds: number;
  p95_seconds: number;
}

type FiguresContext = Pick<ServiceContext, 'database' | 'log' | 'metrics'>;

/** The figures of the merge queues and gate runs for `/metrics`. */
export class ReviewFigures {
  private readonly gateRuns: Counter;

  constructor(context: FiguresContext) {
    this.gateRuns = new Counter({
      name: 'plat_gate_runs_total',
      help: 'Reported gate runs by verdict, RUNNING for each that was reported before its end',
      labelNames: ['verdict'],
      registers: [context.metrics],
    });
    // Shown from the start, because Prometheus sees no increase in a series that begins.
    for (const verdict of GATE_RUN_VERDICTS) this.gateRuns.inc({ verdict }, 0);
    showMergeQueues(context);
    showQueueTimes(context);
  }

  countGateRun(verdict: GateRunVerdict): void {
    this.gateRuns.inc({ verdict });
  }
}

function showMergeQueues(context: FiguresContext): void {
  const figure = (name: string, help: string, value: (row: MergeQueues) => number) => ({
    name: `plat_queue_${name}`,
    help,
    show: (rows: MergeQueues[]) => rows.map((row) => ({ value: value(row) })),
  });
  registerSharedFigures<MergeQueues>(context, {
    name: 'figures.merge_queues',
    figures: [
      {
        name: 'plat_queue_reviews',
        help: 'Reviews in all merge queues, by status: READY or MERGE',
        labelNames: ['status'],
        show: (rows) =>
          rows.flatMap(({ waiting, merging }) => [
            { labels: { status: 'READY' }, value: waiting },
            { labels: { status: 'MERGE' }, value: merging },
          ]),
      },
      figure(
        'head_age_seconds',
        'Longest time for which the head of a queue has been READY',
        (row) => row.head_age_seconds,
      ),
      figure(
        'slot_age_seconds',
        'Longest time for which a review has been at MERGE',
        (row) => row.slot_age_seconds,
      ),
      figure(
        'slot_age_to_p95_ratio',
        "Greatest age of a review that has been at MERGE for over 15 minutes, in multiples of the 95th percentile of its own queue's last slots",
        (row) => row.slot_age_to_p95,
      ),
    ],
  });
}

function showQueueTimes(context: FiguresContext): void {
  registerSharedFigures<QueueTime>(context, {
    name: 'figures.queue_times',
    figures: [
      {
        name: 'plat_queue_left_last_hour',
        help: 'Reviews that left their queue within the last hour, by outcome; counted up to 1000 in all',
        labelNames: ['outcome'],
        show: (rows) => rows.map(({ outcome, reviews }) => ({ labels: { outcome }, value: reviews })),
      },
      {
        name: 'plat_queue_time_seconds',
        help: 'Time from READY to the end of those reviews, by outcome and quantile',
        labelNames: ['outcome', 'quantile'],
        show: (rows) =>
          rows
            .filter(({ reviews }) => reviews > 0)
            .flatMap(({ outcome, median_seconds, p95_seconds }) => [
              { labels: { outcome, quantile: '0.5' }, value: median_seconds },
              { labels: { outcome, quantile: '0.95' }, value: p95_seconds },
            ]),
      },
    ],
  });
}
