import { Controller } from '@nestjs/common';
import { GrantRole, Role } from '@plat/contracts/platform';
import { type Caller, CurrentCaller, PathId, RequestBody, Route } from '@plat/service';
import { UserRoleService } from './user-role.service';

@Controller()
export class UserRoleController {
  constructor(private readonly userRoles: UserRoleService) {}

  @Route('listUserRoles', { response: Role, list: true })
  list(@CurrentCaller() caller: Caller, @PathId('user_id') userId: string): Promise<Role[]> {
    return this.userRoles.list(caller, userId);
  }

  @Route('grantRole', { response: Role })
  grant(
    @CurrentCaller() caller: Caller,
    @PathId('user_id') userId: string,
    @RequestBody() { roleId }: GrantRole,
  ): Promise<Role> {
    return this.userRoles.grant(caller, { userId, roleId });
  }

  @Route('revokeRole', {})
  revoke(
    @CurrentCaller() caller: Caller,
    @PathId('user_id') userId: string,
    @PathId('role_id') roleId: string,
  ): Promise<void> {
    return this.userRoles.revoke(caller, { userId, roleId });
  }
}
