import { GitRemote } from '@plat/testing';
import { Budget } from '../budget';
import { embeddedVerifierConfig, type VerifierConfig } from '../config';
import { localGit } from './local-git';

describe('localGit', () => {
  let remote: GitRemote;
  beforeAll(async () => {
    remote = await GitRemote.create();
    await remote.commit();
  });
  afterAll(() => remote.remove());

  async function read(config: VerifierConfig, signal = new AbortController().signal): Promise<string> {
    const http = localGit(config, { budget: new Budget(config.caps), signal });
    const { body } = await http.request({ url: `${remote.fileUrl}/info/refs?service=git-upload-pack` });
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(part);
    return Buffer.concat(parts).toString();
  }
  const failsAs = (reason: string, message: string) => expect.objectContaining({ reason, message });

  it("advertises as a server does, by the git on the deployment's own search path", async () => {
    expect(await read(embeddedVerifierConfig)).toContain('version 2');
    expect(await read({ ...embeddedVerifierConfig, gitSearchPath: process.env['PATH'] })).toContain(
      'version 2',
    );
  });

  it('reads no directory where the deployment does not allow it', async () => {
    await expect(read({ ...embeddedVerifierConfig, allowFile: false })).rejects.toEqual(
      failsAs('remote_refused', 'local directories not allowed'),
    );
  });

  it('fails when there is no git on the search path', async () => {
    await expect(read({ ...embeddedVerifierConfig, gitSearchPath: '/nonexistent' })).rejects.toEqual(
      failsAs('remote_unreadable', 'local git failed'),
    );
  });

  it('fails when the verification is over', async () => {
    await expect(read(embeddedVerifierConfig, AbortSignal.abort())).rejects.toEqual(
      failsAs('remote_unreadable', 'local git failed'),
    );
  });

  it('stops at the byte cap', async () => {
    const caps = { ...embeddedVerifierConfig.caps, downloadBytes: 10 };
    await expect(read({ ...embeddedVerifierConfig, caps })).rejects.toEqual(
      failsAs('remote_too_large', 'too many bytes received'),
    );
  });
});
