import fc from 'fast-check';
import { parseInstant } from './instant';

describe('an RFC 3339 timestamp', () => {
  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
    ['2026-01-02t03:04:05z', '2026-01-02T03:04:05Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('is accepted: %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it.each([
    ['2026-01-01T01:30:00+02:00', '2025-12-31T23:30:00Z'],
    ['2026-01-01T00:00:00-00:00', '2026-01-01T00:00:00Z'],
    ['2026-01-01T00:00:00.5+23:59', '2025-12-31T00:01:00.5Z'],
    ['2026-01-01T00:00:00-16:00', '2026-01-01T16:00:00Z'],
    ['0050-01-01T00:00:00+01:00', '0049-12-31T23:00:00Z'],
  ])('is answered in UTC: %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it.each([
    ['2026-01-02T03:04:05.1Z', '.1Z'],
    ['2026-01-02T03:04:05.123456Z', '.123456Z'],
    ['2026-01-02T03:04:05.123456789Z', '.123456Z'],
  ])('keeps microseconds and cuts what is finer: %s', (text, ending) => {
    expect(parseInstant(text)).toBe(`2026-01-02T03:04:05${ending}`);
  });

  it.each([
    ['30 February', '2026-02-30T00:00:00Z'],
    ['29 February of a common year', '2026-02-29T00:00:00Z'],
    ['29 February of 1900', '1900-02-29T00:00:00Z'],
    ['31 April', '2026-04-31T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['hour 24', '2026-01-01T24:00:00Z'],
    ['minute 60', '2026-01-01T00:60:00Z'],
    ['a leap second', '2026-12-31T23:59:60Z'],
    ['year 0000', '0000-01-01T00:00:00Z'],
    ['year 294277', '294277-01-01T00:00:00Z'],
    ['year 10000 in UTC', '9999-12-31T23:59:59-01:00'],
    ['year 0 in UTC', '0001-01-01T00:00:00+01:00'],
    ['an offset of 24 hours', '2026-01-01T00:00:00+24:00'],
    ['an offset without colon', '2026-01-01T00:00:00+0200'],
    ['no offset', '2026-01-01T00:00:00'],
    ['a date alone', '2026-01-01'],
    ['a space for the T', '2026-01-01 00:00:00Z'],
    ['ten digits of fraction', '2026-01-01T00:00:00.1234567890Z'],
    ['a point without fraction', '2026-01-01T00:00:00.Z'],
    ['a line feed at the end', '2026-01-01T00:00:00Z\n'],
    ['other digits', '２０２６-01-01T00:00:00Z'],
    ['nothing', ''],
    ['a very long text', `2026-01-01T00:00:00.${'1'.repeat(1_000_000)}Z`],
  ])('is not %s', (_, text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('names the same moment as the runtime reads in it', () => {
    const noInvalidDate = fc.date({
      min: new Date('0001-01-02T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    });
    const offset = fc.tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59));
    fc.assert(
      fc.property(noInvalidDate, offset, (date, [sign, hours, minutes]) => {
        const zone = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
        const text = date.toISOString().replace('Z', zone);
        expect(Date.parse(parseInstant(text)!)).toBe(Date.parse(text));
      }),
    );
  });
});
