import { gzipSync } from 'node:zlib';
import { probeService, startTestService, type TestService } from '@plat/testing';

describe('a request body', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(probeService());
  });
  afterAll(() => service.stop());

  async function post(body: RequestInit['body'] | undefined, headers: Record<string, string> = {}) {
    const response = await fetch(`${service.url}/v1/reviews`, {
      method: 'POST',
      headers: {
        authorization: await service.bearer('alice'),
        'content-type': 'application/json',
        ...headers,
      },
      body,
    });
    const answer = (await response.json()) as {
      code?: string;
      message?: string;
      details?: { field?: string };
      body?: Record<string, unknown>;
    };
    return { status: response.status, ...answer };
  }
  const refused = { status: 400, code: 'INVALID_BODY' };

  it.each([
    ['malformed JSON', '{"name":'],
    ['a trailing comma', '{"name":"x",}'],
    ['two values', '{"name":"x"}{}'],
    ['an array', '[{"name":"x"}]'],
    ['a string', '"name"'],
    ['a number', '7'],
    ['null', 'null'],
    ['NaN', '{"name":"x","line":NaN}'],
    ['nothing', ''],
    ['white space', ' \n'],
    ['a NUL byte between tokens', '{"name":"x"}\0'],
    ['a raw NUL byte in a string', '{"name":"a\0b"}'],
    ['deep nesting', `${'['.repeat(100_000)}`],
    ['an object of a thousand levels that never ends', '{"name":'.repeat(1000)],
    ['a form', 'name=x'],
  ])('is 400 INVALID_BODY: %s', async (_, body) => {
    expect(await post(body)).toMatchObject(refused);
  });

  it.each<[Record<string, string>]>([[{}], [{ 'idempotency-key': 'deep' }]])(
    'is 400 INVALID_BODY if it lies deep, in a field that no route reads too, with the headers %j',
    async (headers) => {
      for (const depth of [33, 5000, 200_000]) {
        const body = `{"name":"x","extra":${'['.repeat(depth)}${']'.repeat(depth)}}`;
        expect(await post(body, headers)).toMatchObject({
          ...refused,
          message: 'The body nests lists and objects deeper than 32 levels.',
        });
      }
    },
  );

  it.each<[Record<string, string>]>([[{}], [{ 'idempotency-key': 'wide' }]])(
    'is 400 INVALID_BODY if it has many fields or items, with the headers %j',
    async (headers) => {
      const list = `{"name":"x","extra":[${'0,'.repeat(10_001)}0]}`;
      const object = `{"name":"x","extra":{${Array.from({ length: 50_000 }, (_, at) => `"f${at}":0`).join(',')}}}`;
      for (const body of [list, object]) {
        expect(await post(body, headers)).toMatchObject({
          ...refused,
          message: 'The body has more than 10000 fields and items.',
        });
      }
    },
  );

  it('is required where a route reads one', async () => {
    expect(await post(undefined)).toMatchObject(refused);
  });

  it.each([
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x6e, 0x61, 0x6d, 0x65, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['Latin-1', Buffer.from('{"name":"é"}', 'latin1')],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
    ['an encoded surrogate', Buffer.from('7b226e616d65223a22eda080227d', 'hex')],
  ])('is 400 INVALID_BODY: bytes of %s', async (_, bytes) => {
    expect(await post(bytes)).toMatchObject(refused);
  });

  it('is not unpacked: gzip is no JSON', async () => {
    const packed = gzipSync(JSON.stringify({ name: 'x'.repeat(100_000) }));
    expect(await post(packed, { 'content-encoding': 'gzip' })).toMatchObject(refused);
  });

  it('is at most 1 MiB, beyond which it is 400 and not 413', async () => {
    const sized = (bytes: number) => JSON.stringify({ name: 'x', padding: 'y'.repeat(bytes - 25) });
    expect(sized(1024 * 1024)).toHaveLength(1024 * 1024);
    expect(await post(sized(1024 * 1024))).toMatchObject({ status: 201 });
    expect(await post(sized(1024 * 1024 + 1))).toMatchObject(refused);
    expect(await post(sized(8 * 1024 * 1024))).toMatchObject(refused);
  });

  it('is JSON whatever its content type says', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
    ]) {
      expect(await post('{"name":"x"}', { 'content-type': type })).toMatchObject({ status: 201 });
    }
  });

  it.each([';;;', '/', 'application/json; =', 'a/b/c', 'x'.repeat(5000)])(
    'with an unreadable content type is judged as any other: %s',
    async (type) => {
      expect(await post('{"name":"x"}', { 'content-type': type })).toMatchObject({ status: 201 });
      expect(await post('{', { 'content-type': type })).toMatchObject(refused);
    },
  );

  it.each([
    ['missing', {}],
    ['null', { name: null }],
    ['blank', { name: ' \t' }],
    ['a number', { name: 7 }],
    ['a boolean', { name: true }],
    ['an array of one', { name: ['x'] }],
    ['an object', { name: { text: 'x' } }],
    ['text with an escaped NUL', { name: 'a\0b' }],
    ['text with a lone surrogate', { name: 'a\ud800' }],
    ['longer than its cap', { name: 'x'.repeat(513) }],
  ])('names the field at fault: name is %s', async (_, body) => {
    expect(await post(JSON.stringify(body))).toMatchObject({ ...refused, details: { field: 'name' } });
  });

  it.each([
    ['line', '7'],
    ['line', 7.5],
    ['line', [7]],
    ['successful', 'true'],
    ['successful', 1],
    ['successful', []],
    ['reason', 'x'.repeat(16_385)],
    ['reason', {}],
  ])('names the field at fault: %s is %.10j', async (field, value) => {
    expect(await post(JSON.stringify({ name: 'x', [field]: value }))).toMatchObject({
      ...refused,
      details: { field },
    });
  });

  it('names the first field in order of declaration where several are at fault', async () => {
    expect(await post('{"line":"x","successful":"y","name":""}')).toMatchObject({
      details: { field: 'name' },
    });
  });

  it('counts null as absent', async () => {
    expect(await post('{"name":"x","line":null}')).toMatchObject({ status: 201, body: { name: 'x' } });
  });

  it('takes the last of a repeated key, as JSON does', async () => {
    expect(await post('{"name":"a","name":"b"}')).toMatchObject({ body: { name: 'b' } });
  });

  it.each(['__proto__', 'constructor', 'prototype', 'tenantId', 'status', 'toString', 'hasOwnProperty'])(
    'drops %s like every field that it does not know',
    async (field) => {
      const answer = await post(`{"${field}":{"polluted":true},"name":"x"}`);
      expect(answer).toMatchObject({ status: 201, own: ['name'] });
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    },
  );

  it('keeps text as it came', async () => {
    const name = ' ünïcödé \u{1F600} \\ " \u2028 ';
    expect(await post(JSON.stringify({ name }))).toMatchObject({ body: { name } });
  });
});
