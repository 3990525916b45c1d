import { access } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { GitRemote } from '@plat/testing';
import { Budget } from '../budget';
import { embeddedVerifierConfig, type VerifierConfig } from '../config';
import { askInProcess } from '../judge/ask-in-process';
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

  it("advertises as a server does, with the git on the deployment's own search path", async () => {
    expect(await read(embeddedVerifierConfig)).toContain('version 2');
    expect(await read({ ...embeddedVerifierConfig, gitSearchPath: process.env['PATH'] })).toContain(
      'version 2',
    );
  });

  it('reads no directory if the deployment does not allow it', async () => {
    await expect(read({ ...embeddedVerifierConfig, allowFile: false })).rejects.toEqual(
      failsAs('remote_refused', 'local directories not allowed'),
    );
  });

  it('fails if there is no git on the search path', async () => {
    await expect(read({ ...embeddedVerifierConfig, gitSearchPath: '/nonexistent' })).rejects.toEqual(
      failsAs('remote_unreadable', 'local git failed'),
    );
  });

  it('fails if the verification is over', async () => {
    await expect(read(embeddedVerifierConfig, AbortSignal.abort())).rejects.toEqual(
      failsAs('remote_unreadable', 'local git failed'),
    );
  });

  it("runs no program that the directory's own configuration names, not even for a missing file", async () => {
    const text = (line: string) => `${'above\n'.repeat(9)}${line}${'below\n'.repeat(9)}`;
    await remote.commit({ text: text('base\n') });
    await remote.switch('feature', 'main');
    await remote.commit({ text: text('changed\n') });
    await remote.switch('main');
    await remote.commit({ text: `${text('base\n')}target\n` });
    await remote.commit({ text: `${text('changed\n')}target\n` });
    const partial = `${remote.projectRoot}/partial.git`;
    const ran = `${remote.projectRoot}/ran`;
    await remote.git('clone', '--quiet', '--bare', '--filter=blob:none', remote.fileUrl, partial);
    for (const [name, value] of [
      ['remote.origin.uploadpack', `touch ${ran}; git-upload-pack`],
      ['uploadpack.packObjectsHook', `touch ${ran}; exec`],
      ['core.fsmonitor', `touch ${ran}`],
      ['core.alternateRefsCommand', `touch ${ran}`],
    ] as const) {
      await remote.git('-C', partial, 'config', name, value);
    }
    const branches = { targetBranch: 'main', sourceBranch: 'feature' };
    const address = pathToFileURL(partial).href;
    expect(await askInProcess({ condition: 'history', address, ...branches })).toMatchObject({
      judged: false,
      reason: 'remote_unreadable',
    });
    await expect(access(ran)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await askInProcess({ condition: 'history', address: remote.fileUrl, ...branches })).toMatchObject({
      verified: true,
    });
  });

  it('stops at the byte cap', async () => {
    const caps = { ...embeddedVerifierConfig.caps, downloadBytes: 10 };
    await expect(read({ ...embeddedVerifierConfig, caps })).rejects.toEqual(
      failsAs('remote_too_large', 'too many bytes received'),
    );
  });
});
