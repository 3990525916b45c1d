import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { receiveBody } from '../request/received-body';
import { replyOf, requestOf } from '../request/request';

/**
 * Step 5: receives the body if its caller is known and permitted. A later step checks the body. This step is a guard to
 * keep the order of the steps.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const receive = () => receiveBody(request, replyOf(context));
    // A body that has arrived already needs no wait.
    request.body = request.raw.complete ? await receive() : await request.slots!.receive(receive);
    return true;
  }
}
