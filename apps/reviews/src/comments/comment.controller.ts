import { Controller } from '@nestjs/common';
import { Comment, CreateComment, UpdateCommentStatus } from '@plat/contracts/reviews';
import { type Caller, CurrentCaller, type ListAnswer, PathId, RequestBody, Route } from '@plat/service';
import { CommentService } from './comment.service';

@Controller()
export class CommentController {
  constructor(private readonly comments: CommentService) {}

  @Route('listComments', { response: Comment, list: true })
  list(@CurrentCaller() caller: Caller, @PathId('review_id') reviewId: string): Promise<ListAnswer<Comment>> {
    return this.comments.list(caller, reviewId);
  }

  @Route('createComment', { response: Comment })
  create(
    @CurrentCaller() caller: Caller,
    @PathId('review_id') reviewId: string,
    @RequestBody() body: CreateComment,
  ): Promise<Comment> {
    return this.comments.create(caller, reviewId, body);
  }

  @Route('updateCommentStatus', { response: Comment })
  updateStatus(
    @CurrentCaller() caller: Caller,
    @PathId('review_id') reviewId: string,
    @PathId('comment_id') commentId: string,
    @RequestBody() body: UpdateCommentStatus,
  ): Promise<Comment> {
    return this.comments.updateStatus(caller, { reviewId, commentId }, body.status);
  }
}
