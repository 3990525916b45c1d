import { describeFailure } from './failure';

describe('the message of a failure', () => {
  it.each([
    'no pg_hba.conf entry for host "192.0.2.5", user "plat_owner", database "plat", no encryption',
    'SSL required',
  ])('names the variable by which the connection is TLS, after: %s', (message) => {
    expect(describeFailure(new Error(message))).toContain('With DATABASE_CA_FILE, ');
  });

  it('says no more about a login that TLS does not help', () => {
    const message =
      'no pg_hba.conf entry for host "192.0.2.5", user "plat_owner", database "plat", SSL encryption';
    expect(describeFailure(new Error(message))).toBe(message);
  });
});
