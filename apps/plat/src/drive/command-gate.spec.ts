import { tmpdir } from 'node:os';
import { gitIn } from '../gate/git';
import { commandGate } from './command-gate';

describe('a gate command that fails', () => {
  it('is reported with the end of its output, without the credentials in it', async () => {
    const token = 'x'.repeat(2000);
    const outcome = await commandGate(
      `echo "cannot read https://ci:${token}@git.example.com/app, Bearer ${token}" >&2; exit 3`,
    ).run({
      git: gitIn(tmpdir()),
      targetCommit: '',
      checkOutTarget: () => Promise.reject(new Error('a command looks at the merge alone')),
      interrupted: new AbortController().signal,
      output: () => undefined,
      beginning: () => Promise.resolve(),
    });
    expect(outcome).toEqual({
      successful: false,
      detail: 'The gate exited with 3.\ncannot read https://git.example.com/app, Bearer ***',
    });
  });
});
