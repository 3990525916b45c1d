import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@plat/service';
import { makeSelfSignedCertificate } from '@plat/testing';
import { ReviewsConfig, verifierConfig } from './config';

const NEEDED = { DATABASE_URL: 'postgres://plat_reviews:x@localhost:5432/plat' };
const read = (more: Record<string, string>) => readConfig(ReviewsConfig, { ...NEEDED, ...more });

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-config-'))));
afterAll(() => rm(folder, { recursive: true }));

describe("REPOSITORY_CA, the authorities of a git server's certificate", () => {
  it('is what the verifier trusts besides the public ones', async () => {
    const { cert: certificate } = await makeSelfSignedCertificate();
    expect(verifierConfig(read({ REPOSITORY_CA: certificate })).certificateAuthorities).toEqual([
      certificate,
    ]);
    const file = join(folder, 'authorities.pem');
    await writeFile(file, certificate);
    expect(verifierConfig(read({ REPOSITORY_CA_FILE: file })).certificateAuthorities).toEqual([
      certificate.trimEnd(),
    ]);
    expect(verifierConfig(read({})).certificateAuthorities).toBeUndefined();
  });

  it.each(['', 'no certificate', '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----'])(
    'is refused if it is %j',
    (text) => {
      const given = join(folder, 'given.pem');
      return writeFile(given, text).then(() =>
        expect(() => read({ REPOSITORY_CA_FILE: given })).toThrow('REPOSITORY_CA'),
      );
    },
  );
});

describe('REPOSITORY_NETWORKS, what the verifier reads besides public addresses', () => {
  it('is nothing by default, and a list with commas', () => {
    expect(verifierConfig(read({})).allowedNetworks).toEqual([]);
    expect(
      verifierConfig(read({ REPOSITORY_NETWORKS: '10.20.0.0/16, git.house:8443' })).allowedNetworks,
    ).toEqual(['10.20.0.0/16', 'git.house:8443']);
  });

  it.each(['0.0.0.0/0', '::/0', '127.0.0.0/8', '10.20.0.0', 'nonsense'])('is refused with %s', (entry) => {
    expect(() => read({ REPOSITORY_NETWORKS: `10.0.0.0/8,${entry}` })).toThrow(
      `REPOSITORY_NETWORKS: ${entry}`,
    );
  });
});

describe('VERIFIER_WORKER_FILE', () => {
  it('is refused at the start if it is no file', () => {
    expect(() => read({ VERIFIER_WORKER_FILE: join(folder, 'absent.js') })).toThrow('VERIFIER_WORKER_FILE');
    expect(() => read({ VERIFIER_WORKER_FILE: folder })).toThrow('VERIFIER_WORKER_FILE');
  });
});
