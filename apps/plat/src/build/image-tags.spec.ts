import { imageIndexes, imageTags, requireTags } from './image-tags';

const order = { image: 'app', registries: ['r.example', 'localhost:5000/team'], tags: ['1.4.0', 'latest'] };

describe('the names of an image', () => {
  it('are the tags in each registry with role build', () => {
    expect(imageTags({ ...order, platforms: [] })).toEqual([
      {
        platform: undefined,
        references: [
          'r.example/app:1.4.0',
          'r.example/app:latest',
          'localhost:5000/team/app:1.4.0',
          'localhost:5000/team/app:latest',
        ],
      },
    ]);
    expect(imageIndexes({ ...order, platforms: ['linux/arm64'] })).toEqual([]);
  });

  it('are local tags only if no registry is configured', () => {
    const local = { ...order, registries: [], platforms: ['linux/amd64', 'linux/arm64'] };
    expect(imageTags({ ...local, platforms: [] })[0]?.references).toEqual(['app:1.4.0', 'app:latest']);
    expect(imageIndexes(local)).toEqual([]);
  });

  it('are one for every platform, and in the registry one for all of them', () => {
    const both = {
      ...order,
      registries: ['r.example'],
      tags: ['1.4.0'],
      platforms: ['linux/amd64', 'linux/arm/v7'],
    };
    expect(imageTags(both)).toEqual([
      { platform: 'linux/amd64', references: ['r.example/app:1.4.0-linux-amd64'] },
      { platform: 'linux/arm/v7', references: ['r.example/app:1.4.0-linux-arm-v7'] },
    ]);
    expect(imageIndexes(both)).toEqual([
      {
        reference: 'r.example/app:1.4.0',
        of: ['r.example/app:1.4.0-linux-amd64', 'r.example/app:1.4.0-linux-arm-v7'],
      },
    ]);
  });

  it.each(['', '-x', 'a b', 'a/b', 'ä'])('refuse the tag %j', (tag) => {
    expect(() => requireTags([tag], undefined)).toThrow(expect.objectContaining({ code: 'INVALID_TAG' }));
  });

  it.each(['', 'App', '-x', 'a//b', 'a:b', 'a b'])('refuse the image %j', (image) => {
    expect(() => requireTags([], image)).toThrow(expect.objectContaining({ code: 'INVALID_IMAGE' }));
  });
});
