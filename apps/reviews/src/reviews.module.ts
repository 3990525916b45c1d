import {
  type DynamicModule,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { type ServiceContext, ServiceModule } from '@plat/service';
import { Verifier } from '@plat/verifier';
import { CommentController } from './comments/comment.controller';
import { CommentService } from './comments/comment.service';
import { receiptKeys, ReviewsConfig, verifierConfig } from './config';
import { GateRunController } from './gate-runs/gate-run.controller';
import { GateRunService } from './gate-runs/gate-run.service';
import { LOG } from './log';
import { MergeQueueController } from './merge-queue/merge-queue.controller';
import { MergeQueueService } from './merge-queue/merge-queue.service';
import { LaterContent } from './merge-receipts/later-content';
import { MergeAttestationController } from './merge-receipts/merge-attestation.controller';
import { MergeAttestationService } from './merge-receipts/merge-attestation.service';
import { MergeReceiptController } from './merge-receipts/merge-receipt.controller';
import { MergeReceiptService } from './merge-receipts/merge-receipt.service';
import { ReceiptKeys } from './merge-receipts/receipt-keys';
import { MergeReportService } from './merge-reports/merge-report.service';
import { MergeVerification } from './merge-verifications/merge-verification';
import { ReviewFigures } from './review-figures';
import { ReviewStatusController } from './review-status/review-status.controller';
import { ReviewStatusService } from './review-status/review-status.service';
import { ReviewerController } from './reviewers/reviewer.controller';
import { ReviewerService } from './reviewers/reviewer.service';
import { ReviewController } from './reviews/review.controller';
import { ReviewService } from './reviews/review.service';
import { MergeExaminer } from './undone-work/merge-examiner';

/** Reviews and their merge queue. */
@Module({})
export class ReviewsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(private readonly verifier: Verifier) {}

  onApplicationBootstrap(): void {
    this.verifier.warmUp();
  }

  /** Runs after the last answer, because a report in flight still asks git. */
  async onApplicationShutdown(): Promise<void> {
    await this.verifier.close();
  }

  static register(context: ServiceContext, config: ReviewsConfig): DynamicModule {
    const { VERIFIER_WORKER_FILE: workerFile } = config;
    const verifier = new Verifier(verifierConfig(config), { workerFile });
    return {
      module: ReviewsModule,
      imports: [ServiceModule.register(context)],
      // The queue's controller first: `merge-queue` is routed before `{review_id}`. Rule A6.
      controllers: [
        MergeQueueController,
        ReviewController,
        ReviewStatusController,
        ReviewerController,
        CommentController,
        GateRunController,
        MergeReceiptController,
        MergeAttestationController,
      ],
      providers: [
        { provide: Verifier, useValue: verifier },
        { provide: LOG, useValue: context.log },
        {
          provide: MergeVerification,
          useFactory: () => new MergeVerification(verifier, context.log, context.metrics),
        },
        { provide: ReviewFigures, useFactory: () => new ReviewFigures(context) },
        { provide: ReceiptKeys, useFactory: () => followKeys(context, config) },
        MergeQueueService,
        ReviewService,
        ReviewStatusService,
        LaterContent,
        MergeExaminer,
        MergeReportService,
        ReviewerService,
        CommentService,
        GateRunService,
        MergeReceiptService,
        MergeAttestationService,
      ],
    };
  }
}

/** The keys of merge receipts, which change when their files do. */
function followKeys(context: ServiceContext, config: ReviewsConfig): ReceiptKeys {
  const keys = new ReceiptKeys(...receiptKeys(config));
  context.onConfigChange(() => keys.replace(...receiptKeys(config)));
  return keys;
}
