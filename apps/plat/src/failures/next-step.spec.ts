import { nextAfterRefusal } from './next-step';

const moved = (apiUrl?: unknown) =>
  nextAfterRefusal({ code: 'TENANT_MOVED', message: 'Your tenant has moved.', details: { apiUrl } });

describe('the next step after a refusal', () => {
  it('names where a tenant has moved to, and asks the person to confirm the place', () => {
    expect(moved('https://two.example.com')).toBe(
      'ask your administrator whether your organisation has moved there, then: plat cloud init <alias> --api-url https://two.example.com, then plat cloud login',
    );
  });

  it.each([
    undefined,
    7,
    'two.example.com',
    'http://127.0.0.1:7070',
    'https://me:hunter2@two.example.com',
    'https://two.example.com/?x=1',
  ])('names no place to which no tenant moves: %s', (apiUrl) => {
    expect(moved(apiUrl)).toContain(`--api-url <the new address>, then`);
  });

  it('quotes what a platform names', () => {
    expect(moved('https://two.example.com/$(id)')).toContain(`--api-url 'https://two.example.com/$(id)',`);
  });

  it.each([
    ['READY', 'plat review wait 0198'],
    ['MERGE', 'plat review wait 0198'],
    // To wait for a review that only a person's act changes is in vain.
    ['FAILED', 'plat review why 0198'],
    ['CLOSED', 'plat review show 0198'],
  ])('after a question about the landing of a review that is %s is %s', (status, next) => {
    const details = { reviewId: '0198', status };
    expect(nextAfterRefusal({ code: 'REVIEW_NOT_MERGED', message: 'No.', details })).toBe(next);
  });
});
