import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { receiveBody } from './received-body';
import { replyOf, requestOf } from './request';

/**
 * Step 5: the body is received, of callers alone who are known and permitted; it is judged later. A guard, so that the
 * steps keep their order.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const receive = () => receiveBody(request, replyOf(context));
    // What has come already is only taken over.
    request.body = request.raw.complete ? await receive() : await request.turn!.receive(receive);
    return true;
  }
}
