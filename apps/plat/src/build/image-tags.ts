import { Failure } from '../terminal/failure';

/** The form of a tag that registries accept. */
const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const IMAGE = /^[a-z0-9]+(?:(?:[._-]+|\/)[a-z0-9]+)*$/;

/** The names of one image for one platform. */
export interface ImageTags {
  /** Undefined: the builder's own platform, the only one. */
  platform?: string;
  /** References of registry, name and tag. */
  references: string[];
}

/** The images of several platforms under one name. */
export interface ImageIndex {
  reference: string;
  /** The references of the platforms. */
  of: string[];
}

export interface TagOrder {
  /** The image's name without registry and tag. */
  image: string;
  /** Empty: the image is tagged on this machine alone. */
  registries: readonly string[];
  /** The version and the additional tags. */
  tags: readonly string[];
  platforms: readonly string[];
}

/** The names of each platform's image: the tags themselves, or for several platforms `<tag>-<os>-<arch>`. */
export function imageTags({ image, registries, tags, platforms }: TagOrder): ImageTags[] {
  const names = namesOf(image, registries);
  if (platforms.length < 2) return [{ platform: platforms[0], references: withTags(names, tags) }];
  return platforms.map((platform) => {
    const suffix = platform.replaceAll('/', '-');
    return {
      platform,
      references: withTags(
        names,
        tags.map((tag) => `${tag}-${suffix}`),
      ),
    };
  });
}

/** The names of the indexes over all platforms. An index needs a registry, so without one there are none. */
export function imageIndexes({ image, registries, tags, platforms }: TagOrder): ImageIndex[] {
  if (platforms.length < 2 || registries.length === 0) return [];
  return withTags(namesOf(image, registries), tags).map((reference) => ({
    reference,
    of: platforms.map((platform) => `${reference}-${platform.replaceAll('/', '-')}`),
  }));
}

/** @throws Failure INVALID_TAG, INVALID_IMAGE */
export function requireTags(tags: readonly string[], image: string | undefined): void {
  const bad = tags.find((tag) => !TAG.test(tag));
  if (bad !== undefined) {
    throw new Failure('INVALID_TAG', `--tag ${JSON.stringify(bad)} is not a tag.`, {
      next: 'use letters, digits, dot, underscore and hyphen',
    });
  }
  if (image !== undefined && !IMAGE.test(image)) {
    throw new Failure('INVALID_IMAGE', `--image ${JSON.stringify(image)} is not a name of an image.`, {
      next: 'use lower-case letters and digits, and between them dot, underscore, hyphen or slash',
    });
  }
}

function namesOf(image: string, registries: readonly string[]): string[] {
  return registries.length === 0 ? [image] : registries.map((registry) => `${registry}/${image}`);
}

function withTags(names: readonly string[], tags: readonly string[]): string[] {
  return names.flatMap((name) => tags.map((tag) => `${name}:${tag}`));
}
