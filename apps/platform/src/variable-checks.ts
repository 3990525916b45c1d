import { accessSync, constants, statSync } from 'node:fs';
import { ValidateBy } from 'class-validator';
import { Secret } from '@plat/service';
import { IN_CLUSTER } from './environments/kubernetes-cluster';

/** A key in base64 (RFC 4648, section 4), with its padding and without white space. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A secret in base64. Node decodes what it can of any other text, which makes a key that no server has. */
export const IsBase64Secret = (): PropertyDecorator =>
  ValidateBy({
    name: 'isBase64Secret',
    validator: {
      validate: (value) => value instanceof Secret && value.reveal() !== '' && BASE64.test(value.reveal()),
      defaultMessage: (fault) => `${fault?.property} must be in base64`,
    },
  });

/** The path of a kubeconfig file that this process may read, or `in-cluster`. Its content is read for each deletion. */
export const IsKubeconfig = (): PropertyDecorator =>
  ValidateBy({
    name: 'isKubeconfig',
    validator: {
      validate: (value) => value === IN_CLUSTER || faultOfFile(String(value)) === undefined,
      defaultMessage: (fault) => {
        const path = String(fault?.value);
        return `${fault?.property} must be a kubeconfig file or ${IN_CLUSTER}: ${path} ${faultOfFile(path)}`;
      },
    },
  });

function faultOfFile(path: string): string | undefined {
  try {
    const found = statSync(path);
    if (!found.isFile()) return 'is no file';
    accessSync(path, constants.R_OK);
    return found.size === 0 ? 'is empty' : undefined;
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}
