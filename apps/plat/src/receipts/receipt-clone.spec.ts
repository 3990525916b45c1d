import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { MergeReceipt } from '@plat/api-client';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine, PATH } from '../black-box/plat-process';
import { cloneForReceipt } from './receipt-clone';

describe('the clone for a receipt', () => {
  let machine: Machine;
  let checkout: GateCheckout;
  let receipt: MergeReceipt;
  const own = { ...process.env };
  beforeAll(async () => {
    machine = await Machine.create();
    checkout = await GateCheckout.create(machine);
    receipt = { targetBranch: 'main', sourceBranch: 'main' } as MergeReceipt;
    const bin = join(machine.home, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'git-remote-demo'), `#!/bin/sh\necho the helper ran >&2\nexit 1\n`);
    await chmod(join(bin, 'git-remote-demo'), 0o755);
    Object.assign(process.env, { HOME: machine.home, PATH: `${bin}:${PATH}` });
  });
  afterAll(async () => {
    Object.assign(process.env, own);
    await machine.remove();
  });

  /** Returns git's report when it could not read the remote; undefined if it could. */
  async function refusal(url: string, isGiven = false, bytesMax?: number): Promise<string | undefined> {
    const clone = cloneForReceipt(receipt, { url, isGiven, bytesMax }, new AbortController().signal);
    return clone.then(
      async ({ remove }) => void (await remove()),
      (error: Error) => error.message,
    );
  }

  it('reads a folder, and any other remote that the caller names', async () => {
    expect(await refusal(checkout.origin)).toBeUndefined();
    expect(await refusal(`file://${checkout.origin}`, true)).toBeUndefined();
  });

  it('ends if the remote sends more than the disk may take', async () => {
    expect(await refusal(checkout.origin, false, 64)).toMatch(/^The remote sends more than 1 MiB/);
  });

  it('starts no remote helper, even if the settings of the user allow it', async () => {
    await checkout.git('config', '--global', 'protocol.allow', 'always');
    await checkout.git('config', '--global', 'protocol.ext.allow', 'always');
    await checkout.git('config', '--global', 'url.demo::.insteadOf', 'https://rewritten.example/');
    for (const url of ['demo::x', 'https://rewritten.example/acme/app', `ext::sh -c "echo%S"`]) {
      expect(await refusal(url)).toMatch(/transport '(?:demo|ext)' not allowed/);
    }
    expect(await refusal('demo::x', true)).toMatch(/transport 'demo' not allowed/);
  });

  it('reads over http only from this machine, or if the caller names the remote', async () => {
    const server = createServer((_request, response) => response.writeHead(404).end());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    expect(await refusal('http://git.example/acme/app')).toContain("transport 'http' not allowed");
    expect(await refusal(`http://127.0.0.1:${port}/acme/app`)).toContain('not found');
    expect(await refusal(`http://127.0.0.1:${port}/acme/app`, true)).toContain('not found');
    await new Promise((closed) => server.close(closed));
  });
});
