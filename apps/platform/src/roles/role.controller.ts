import { Controller } from '@nestjs/common';
import { CreateRole, Role } from '@plat/contracts/platform';
import { type Caller, CurrentCaller, type ListAnswer, RequestBody, Route } from '@plat/service';
import { RoleService } from './role.service';

@Controller()
export class RoleController {
  constructor(private readonly roles: RoleService) {}

  @Route('listRoles', { response: Role, list: true })
  list(@CurrentCaller() caller: Caller): Promise<ListAnswer<Role>> {
    return this.roles.list(caller);
  }

  @Route('createRole', { response: Role })
  create(@CurrentCaller() caller: Caller, @RequestBody() body: CreateRole): Promise<Role> {
    return this.roles.create(caller, body);
  }
}
