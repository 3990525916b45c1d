import { PROBED } from './ssh-server';

describe("the lines of the SSH server that the pod's log leaves out", () => {
  it.each([
    'Connection closed by 127.0.0.1 port 40112',
    'Connection closed by 10.0.0.7 port 40112 [preauth]',
    'Connection reset by fd00::7 port 40112',
    'kex_exchange_identification: Connection closed by remote host',
    'kex_exchange_identification: read: Connection reset by peer\r',
  ])('are those of a probe: %s', (line) => expect(line).toMatch(PROBED));

  it.each([
    'Server listening on 0.0.0.0 port 17022.',
    'Connection closed by authenticating user plat 10.0.0.7 port 40112 [preauth]',
    'Connection closed by invalid user root 10.0.0.7 port 40112 [preauth]',
    'Accepted publickey for plat from 10.0.0.7 port 40112 ssh2: ED25519 SHA256:x',
    'Received disconnect from 10.0.0.7 port 40112:11: disconnected by user',
    'x Connection closed by 127.0.0.1 port 40112',
  ])('are no others: %s', (line) => expect(line).not.toMatch(PROBED));
});
