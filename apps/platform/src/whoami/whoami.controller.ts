import { Controller } from '@nestjs/common';
import { Whoami } from '@plat/contracts/platform';
import { type Caller, CurrentCaller, Route } from '@plat/service';

@Controller()
export class WhoamiController {
  @Route('whoami', { response: Whoami })
  get(@CurrentCaller() { principal }: Caller): Whoami {
    const { tenantId, userId, username, roles, issuer, subject } = principal;
    return { tenantId, userId, username, roles, issuer, subject };
  }
}
