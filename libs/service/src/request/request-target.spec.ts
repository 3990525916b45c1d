import { routableTarget } from './request-target';

describe('routableTarget', () => {
  it.each([
    ['/v1/reviews', '/v1/reviews'],
    ['/v1/reviews?name=%zz', '/v1/reviews?name=%zz'],
    ['/v1/reviews/%41', '/v1/reviews/%41'],
  ])('leaves %s as it is', (target, routable) => {
    expect(routableTarget(target)).toBe(routable);
  });

  it.each([
    ['http://plat.example/v1/whoami?a=b', '/v1/whoami?a=b'],
    ['HTTPS://u:p@[::1]:99999/v1/whoami', '/v1/whoami'],
    ['http://[', '/'],
    ['http://', '/'],
    ['*', '/*'],
    ['?', '/?'],
    ['', '/'],
  ])('reads %s as the path %s', (target, routable) => {
    expect(routableTarget(target)).toBe(routable);
  });

  it.each([
    ['/v1/reviews/%zz', '/v1/reviews/%25zz'],
    ['/v1/reviews/%', '/v1/reviews/%25'],
    ['/v1/reviews/%ff', '/v1/reviews/%25ff'],
    ['/%/%41', '/%25/%41'],
    ['/metrics#/v1/whoami', '/metrics%23/v1/whoami'],
  ])('lets what cannot be decoded stand for itself: %s', (target, routable) => {
    expect(routableTarget(target)).toBe(routable);
    expect(() => decodeURI(routable)).not.toThrow();
  });
});
