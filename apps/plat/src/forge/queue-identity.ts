import { Failure } from '../terminal/failure';
import type { Forge } from './forge';
import type { BypassActor } from './ruleset';

const BOT = /\[bot\]$/;
const PUSHING_ROLES = ['admin', 'write'];

/**
 * The identity that pushes for the queue, as a bypass actor: a user by login, or an app by its slug and `[bot]`.
 *
 * @throws Failure QUEUE_CANNOT_PUSH if it has no right to push: a bypass does not give that right
 */
export async function queueActor({ client, at }: Forge, login: string): Promise<BypassActor> {
  if (BOT.test(login)) {
    const app = await client.request('GET /apps/{app_slug}', { app_slug: login.replace(BOT, '') });
    if (app.data?.permissions.contents !== 'write') throw cannotPush(login);
    return { actor_id: app.data.id, actor_type: 'Integration', bypass_mode: 'always' };
  }
  const path = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
  const { permission, user } = (await client.request(path, { ...at, username: login })).data;
  if (user === null || !PUSHING_ROLES.includes(permission)) throw cannotPush(login);
  return { actor_id: user.id, actor_type: 'User', bypass_mode: 'always' };
}

function cannotPush(login: string): Failure {
  return new Failure('QUEUE_CANNOT_PUSH', `${login} cannot push to the repository.`, {
    details: { queueIdentity: login },
    next: 'give it write access to the repository first',
  });
}
