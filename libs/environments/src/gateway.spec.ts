import { contextTokens, defaultModel } from './gateway';

const SMALL = { id: 'small', contextTokens: 8000 };
const LARGE = { id: 'large', contextTokens: 200_000, default: true };

describe("the context window of a gateway's models", () => {
  it('is that of the default model for the pod, and of the selected one for a launch', () => {
    const gateway = { models: [SMALL, LARGE] };
    expect(contextTokens(gateway)).toBe(200_000);
    expect(contextTokens(gateway, 'small')).toBe(8000);
    expect(contextTokens(gateway, 'unknown')).toBeUndefined();
  });

  it('is unresolved if the catalog has several models and marks none', () => {
    expect(defaultModel({ models: [SMALL, { id: 'other' }] })).toBeUndefined();
    expect(defaultModel({ models: [SMALL] })).toBe(SMALL);
  });
});
