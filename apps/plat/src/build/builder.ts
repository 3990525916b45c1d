/** A program to run, with the changes to the user's own variables. */
export interface BuilderCommand {
  argv: readonly string[];
  variables?: Readonly<Record<string, string>>;
}

/** One image for one platform. */
export interface ImageOrder {
  /** Folder that the Dockerfile's paths are relative to. */
  context: string;
  dockerfile: string;
  /** Undefined: the builder's own. */
  platform?: string;
  /** Stage to stop at; undefined: the last. */
  target?: string;
  /** File that the image's id is written to. */
  idFile: string;
}

/** A label by which the image of a test is no other's, so that its removal takes no tag of another away. */
export function testLabel({ idFile }: ImageOrder): string {
  return `--label=plat.test=${idFile}`;
}

/** What makes images. Its commands are data, so that `--dry-run` prints what is run otherwise. */
export interface Builder {
  name: string;
  /** Whether pushes take a bearer token as it is. Spec: Client, Authentication, rule 6. */
  takesBearerToken: boolean;
  /** Builds an image and leaves it untagged. */
  build(order: ImageOrder): BuilderCommand;
  /** Runs the stage whatever the cache holds. An image that it leaves is unlike any other. */
  test(order: ImageOrder & { target: string }): BuilderCommand;
  /** Removes the image that `test` left; absent where it leaves none. */
  forgetTest?(imageId: string): BuilderCommand;
  tag(imageId: string, reference: string): BuilderCommand;
  /** @param insecure plain http is spoken: the registry is on this machine */
  push(reference: string, insecure: boolean): BuilderCommand;
  /** Gives what was pushed for several platforms one name. */
  index(reference: string, of: readonly string[], insecure: boolean): BuilderCommand[];
}
