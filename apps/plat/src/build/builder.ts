/** A program to run, with changes to the user's own variables. */
export interface BuilderCommand {
  argv: readonly string[];
  variables?: Readonly<Record<string, string>>;
}

/** One image for one platform. */
export interface ImageOrder {
  /** Folder to which the Dockerfile's paths are relative. */
  context: string;
  dockerfile: string;
  /** Undefined: the builder's own platform. */
  platform?: string;
  /** The last stage to build; undefined: the file's last one. */
  target?: string;
  /** File to which the image's id is written. */
  idFile: string;
}

/** A label that makes a test's image unique, so that its removal does not remove another image's tag. */
export function testLabel({ idFile }: ImageOrder): string {
  return `--label=plat.test=${idFile}`;
}

/** Builds images. Its commands are data, so that `--dry-run` prints what a real run executes. */
export interface Builder {
  name: string;
  /** Whether pushes take a bearer token as it is. Spec: Client, Authentication, rule 6. */
  takesBearerToken: boolean;
  /** Builds an image and leaves it untagged. */
  build(order: ImageOrder): BuilderCommand;
  /** Runs the stage, even if the cache has it. If it leaves an image, that image is unique. */
  test(order: ImageOrder & { target: string }): BuilderCommand;
  /** Removes the image that `test` left; absent if it leaves none. */
  forgetTest?(imageId: string): BuilderCommand;
  tag(imageId: string, reference: string): BuilderCommand;
  /** @param insecure whether the registry is on this machine and speaks plain http */
  push(reference: string, insecure: boolean): BuilderCommand;
  /** Joins the pushed images of several platforms under one name. */
  index(reference: string, of: readonly string[], insecure: boolean): BuilderCommand[];
}
