import { Controller } from '@nestjs/common';
import { CreateUser, SetUserSubject, UpdateUserStatus, User } from '@plat/contracts/platform';
import { type Caller, CurrentCaller, type ListAnswer, PathId, RequestBody, Route } from '@plat/service';
import { UserService } from './user.service';

@Controller()
export class UserController {
  constructor(private readonly users: UserService) {}

  @Route('listUsers', { response: User, list: true })
  list(@CurrentCaller() caller: Caller): Promise<ListAnswer<User>> {
    return this.users.list(caller);
  }

  @Route('createUser', { response: User })
  create(@CurrentCaller() caller: Caller, @RequestBody() body: CreateUser): Promise<User> {
    return this.users.create(caller, body);
  }

  @Route('updateUserStatus', { response: User })
  updateStatus(
    @CurrentCaller() caller: Caller,
    @PathId('user_id') userId: string,
    @RequestBody() body: UpdateUserStatus,
  ): Promise<User> {
    return this.users.updateStatus(caller, userId, body);
  }

  @Route('setUserSubject', { response: User })
  setSubject(
    @CurrentCaller() caller: Caller,
    @PathId('user_id') userId: string,
    @RequestBody() body: SetUserSubject,
  ): Promise<User> {
    return this.users.setSubject(caller, userId, body);
  }
}
