import { isId, newId } from './ids';

describe('a path id', () => {
  it.each([
    ['of version 7', '0190a0b0-c0d0-7000-8000-000000000001'],
    ['of version 4', '9f3c1d5e-1c2b-4a3d-9e8f-123456789abc'],
    ['of no version, the nil UUID', '00000000-0000-0000-0000-000000000000'],
    ['of all bits', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['in upper case', '9F3C1D5E-1C2B-4A3D-9E8F-123456789ABC'],
    ['in mixed case', '9f3C1D5e-1c2b-4A3d-9e8F-123456789abc'],
  ])('is any hyphenated 8-4-4-4-12 UUID: %s', (_, text) => {
    expect(isId(text)).toBe(true);
  });

  it.each([
    ['without hyphens', '0190a0b0c0d070008000000000000001'],
    ['in braces', '{0190a0b0-c0d0-7000-8000-000000000001}'],
    ['as a URN', 'urn:uuid:0190a0b0-c0d0-7000-8000-000000000001'],
    ['one digit short', '0190a0b0-c0d0-7000-8000-00000000001'],
    ['one digit long', '0190a0b0-c0d0-7000-8000-0000000000011'],
    ['with a letter beyond f', '0190a0b0-c0d0-7000-8000-00000000000g'],
    ['with a line feed', '0190a0b0-c0d0-7000-8000-000000000001\n'],
    ['hyphenated elsewhere', '0190a0b0-c0d07-000-8000-000000000001'],
    ['empty', ''],
  ])('is not one %s', (_, text) => {
    expect(isId(text)).toBe(false);
  });
});

describe('a new id', () => {
  it('is a UUIDv7 of the present millisecond', () => {
    const before = Date.now();
    const id = newId();
    const after = Date.now();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const milliseconds = parseInt(id.replace('-', '').slice(0, 12), 16);
    expect(milliseconds).toBeGreaterThanOrEqual(before);
    expect(milliseconds).toBeLessThanOrEqual(after);
  });

  it('is never one that was made before', () => {
    expect(new Set(Array.from({ length: 10_000 }, newId)).size).toBe(10_000);
  });
});
