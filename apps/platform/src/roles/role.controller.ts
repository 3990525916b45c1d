import { Controller } from '@nestjs/common';
import { CreateRole, Role, RoleDetails } from '@plat/contracts/platform';
import { type Caller, CurrentCaller, type ListAnswer, PathId, RequestBody, Route } from '@plat/service';
import { RoleService } from './role.service';

@Controller()
export class RoleController {
  constructor(private readonly roles: RoleService) {}

  @Route('listRoles', { response: Role, list: true })
  list(@CurrentCaller() caller: Caller): Promise<ListAnswer<Role>> {
    return this.roles.list(caller);
  }

  @Route('getRole', { response: RoleDetails })
  get(@CurrentCaller() caller: Caller, @PathId('role_id') roleId: string): Promise<RoleDetails> {
    return this.roles.get(caller, roleId);
  }

  @Route('createRole', { response: Role })
  create(@CurrentCaller() caller: Caller, @RequestBody() body: CreateRole): Promise<Role> {
    return this.roles.create(caller, body);
  }
}
