import { environmentContext, exportProtocol, isTelemetryOn, parseTraceparent } from './telemetry-config';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const [TRACE, SPAN] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

describe('telemetry', () => {
  it.each<[boolean, Record<string, string>]>([
    [false, {}],
    [false, { OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' }],
    [true, ENDPOINT],
    [true, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }],
    [false, { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
    [false, { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    [false, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  ])('is %s with %p', (on, variables) => expect(isTelemetryOn(variables)).toBe(on));

  it('is sent by http/protobuf, by what is said for traces, or for all', () => {
    expect(exportProtocol({})).toBe('http/protobuf');
    expect(exportProtocol({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' })).toBe('http/json');
    const both = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' };
    expect(exportProtocol(both)).toBe('http/json');
    expect(() => exportProtocol({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(
      /use http\/protobuf or http\/json/,
    );
  });
});

describe('the context of a trace', () => {
  it('is taken from the environment with its state, and not if it is invalid', () => {
    const traceparent = `00-${TRACE}-${SPAN}-01`;
    expect(environmentContext({ TRACEPARENT: traceparent })).toEqual({ traceparent });
    expect(environmentContext({ TRACEPARENT: traceparent, TRACESTATE: 'a=b' })).toEqual({
      traceparent,
      tracestate: 'a=b',
    });
    expect(environmentContext({ TRACEPARENT: 'x\r\ny: z', TRACESTATE: 'a=b' })).toEqual({});
  });

  it.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`cc-${TRACE}-${SPAN}-01-of-a-later-version`, true],
    [`ff-${TRACE}-${SPAN}-01`, false],
    [`00-${'0'.repeat(32)}-${SPAN}-01`, false],
    [`00-${TRACE}-${'0'.repeat(16)}-01`, false],
    [`00-${TRACE.toUpperCase()}-${SPAN}-01`, false],
    ['', false],
  ])('%s is valid: %p', (text, valid) =>
    expect(parseTraceparent(text)).toEqual(valid ? { traceId: TRACE, spanId: SPAN } : undefined),
  );
});
