import { getReview } from '@plat/api-client';
import { UNDONE_DAYS } from '../../before-push/find-undone';
import { openCheckout } from '../../checkout/checkout';
import { PlatformCommand } from '../../platform/platform-command';
import { reviewIdArgument, reviewIdOf } from '../../reviews/review-id';
import { requireSameRepository } from '../../reviews/same-repository';
import { type NextStep, nextStep } from '../../terminal/next-step';
import { prose } from '../../terminal/prose';
import { textsOfReview } from '../../undone/said-by-review';
import { findingsAbout, sayUndoes } from '../../undone/say-undoes';
import { onPurposeFlag, refuseUndoneFlag, undoneDaysFlag } from '../../undone/undone-flags';
import { requireTip, undoneOfBranches } from '../../undone/undone-of-branches';
import { isRefused } from '../../undone/undone-report';
import { undoneView } from '../../undone/undone-text';

export class ReviewUndoes extends PlatformCommand {
  static override summary = 'Show which work of earlier landings a review would take back';
  static override description =
    prose(`A branch that merged the target badly, or that has old versions of files, takes back what landed before, by a merge
that is correct. The command makes the merge of the review as a gate makes it, from the branches as origin has them, and names
each place with the landing whose work it is, and how it was lost. Nothing is checked out, and no branch moves.

sure: a merge of the target lost it outside of any conflict, or a commit brought back what was there before a landing that came
after the branch had begun. likely: in a conflict, or after the author could see the landing. possible: lines are removed, which
is usual work.

What the review says it reverts is listed apart: by "This reverts commit <id>", or in a line of a commit message, of its name
or of a comment that says "reverts" or "undoes" with the name or id of the other review. --on-purpose writes such a comment.

Exit code 0, also if it takes something back; with --refuse-undone 1 if that is sure or likely. 1 also if it cannot be determined.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> feature/42-rate-limits --days 90 --json',
    '<%= config.bin %> <%= command.id %> feature/42-rate-limits --on-purpose 0c9a2e11',
  ];
  static override args = { review_id: reviewIdArgument };
  static override flags = {
    days: undoneDaysFlag,
    'refuse-undone': refuseUndoneFlag,
    'on-purpose': onPurposeFlag,
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewUndoes);
    const { api } = await this.platform(flags);
    const landing = flags['on-purpose'];
    const { report, branch } = await this.host.interruptible(async (interrupted) => {
      const git = await openCheckout(process.cwd(), interrupted);
      const reviewId = await reviewIdOf(api, args.review_id);
      const review = await this.progress('Reading the review', getReview(api, { reviewId }));
      const texts = () => textsOfReview(api, review);
      const asked = { api, texts, days: flags.days ?? UNDONE_DAYS };
      await requireSameRepository(git, review);
      const compare = () =>
        this.progress('Comparing the merge with earlier landings', undoneOfBranches(git, review, asked));
      const branch = review.sourceBranch;
      const report = await compare();
      if (landing === undefined) return { branch, report };
      const about = findingsAbout(report, landing);
      const commitId = await requireTip(git, branch);
      await this.progress('Commenting', sayUndoes(api, { reviewId, commitId, about }));
      return { branch, report: await compare() };
    });
    this.show(report, undoneView);
    if (flags['refuse-undone'] && isRefused(report)) this.host.fail();
    if (report.findings.length > 0) {
      this.terminal.note(`next: ${keepLines(branch)}`);
    } else if (landing !== undefined) {
      this.terminal.note('next: if the review is FAILED, record its build again: plat submit');
    }
  }
}

const keepLines = (branch: string): NextStep =>
  nextStep(
    'if it is not meant, restore these lines on',
    [branch],
    'and push it: plat submit; otherwise plat review undoes --on-purpose <landing>',
  );
