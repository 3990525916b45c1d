import { DatabaseError } from 'pg';
import { isRefusedLogin } from './refused-login';

function answer(code: string, message: string): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code, severity: 'FATAL' });
}

describe('a refused login', () => {
  it.each([
    ['28P01', 'password authentication failed for user "plat_reviews"'],
    ['28000', 'role "plat_reviews" is not permitted to log in'],
    ['08P01', 'SASL authentication failed'],
    ['08P01', 'password authentication failed'],
    ['08P01', 'no such user'],
    ['08P01', 'server login has been failing, try again later (server_login_retry)'],
    [
      '08P01',
      'server login has been failing, cached error: password authentication failed (server_login_retry)',
    ],
  ])("is PostgreSQL's or PgBouncer's %s %s", (code, message) => {
    const cause = answer(code, message);
    expect(isRefusedLogin(cause)).toBe(true);
    expect(isRefusedLogin(new Error('wrapped', { cause }))).toBe(true);
    expect(isRefusedLogin(Object.assign(new Error('of TypeORM'), { driverError: cause }))).toBe(true);
  });

  it.each([
    ['08P01', 'server conn crashed?'],
    ['08P01', 'query_wait_timeout'],
    ['08P01', 'no more connections allowed (max_client_conn)'],
    ['57P01', 'terminating connection due to administrator command'],
  ])('is none of what may follow a statement: %s %s', (code, message) => {
    expect(isRefusedLogin(answer(code, message))).toBe(false);
  });

  it('is no fault of the network', () =>
    expect(isRefusedLogin(new Error('connect ECONNREFUSED'))).toBe(false));
});
