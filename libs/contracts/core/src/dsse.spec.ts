import { preAuthEncoding } from './dsse';

describe('the bytes that a DSSE envelope signs', () => {
  it('are those of the example in the specification', () => {
    const bytes = preAuthEncoding('http://example.com/HelloWorld', Buffer.from('hello world'));
    expect(bytes.toString()).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
  });

  it('count bytes, not characters', () => {
    expect(preAuthEncoding('é', Buffer.from('ö€')).toString()).toBe('DSSEv1 2 é 5 ö€');
  });
});
