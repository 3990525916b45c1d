import { logLine, parseLogLine } from './log-entry';

const AT = new Date('2026-11-23T04:05:06.789Z');

describe('a line of the log', () => {
  it('has time, event and fields; a text of several words is quoted', () => {
    const fields = { port: 17_022, service: 'acme-ssh', context: undefined, message: 'no "pod"\nis ready' };
    expect(logLine({ event: 'failed', fields }, AT)).toBe(
      '2026-11-23T04:05:06.789Z failed port=17022 service=acme-ssh message="no \\"pod\\"\\nis ready"\n',
    );
  });

  it.each(['word', '', 'two words', 'a=b', '"', '\\', '\n2026-11-23T04:05:06.789Z opened', '\u2028\0'])(
    'gives back the message %j',
    (message) => {
      const line = logLine({ event: 'failed', fields: { message } }, AT);
      expect(line.split('\n')).toHaveLength(2);
      expect(parseLogLine(line.trimEnd())).toEqual({ at: AT.toISOString(), event: 'failed', message });
    },
  );

  it.each(['x', '\0', '\u{1f600}', '"'])('is shorter than 4 KiB, whatever its fields: %j', (character) => {
    const text = character.repeat(100_000);
    const fields = { message: text, pod: text, service: text, namespace: text, context: text };
    const line = logLine({ event: 'failed', fields }, AT);
    expect(Buffer.byteLength(line)).toBeLessThan(4096);
    expect(parseLogLine(line.trimEnd())?.message).toMatch(/…$/);
  });

  it.each([
    '',
    'Forwarding from 127.0.0.1:17022',
    '2026-11-23T04:05:06.789Z unknown',
    ' 2026-11-23T04:05:06Z opened',
  ])('is not: %j', (line) => {
    expect(parseLogLine(line)).toBeUndefined();
  });
});
