/** @peers powerdns knot bind9 */
import { bind9, knot, powerDns, startNameServer } from '@plat/testing';
import { describeDnsWriter } from './dns-writer.conformance';

const SIGNATURE_REFUSALS = {
  wrongKey: 'NOTAUTH (BADKEY)',
  wrongSecret: 'NOTAUTH (BADSIG)',
  wrongClock: 'NOTAUTH (BADTIME)',
};

describeDnsWriter('PowerDNS', {
  start: (algorithm) => startNameServer(powerDns, algorithm),
  // PowerDNS answers every wrong signature with an unsigned REFUSED.
  refusals: { wrongKey: 'REFUSED', wrongSecret: 'REFUSED', wrongClock: 'REFUSED' },
});

describeDnsWriter('Knot DNS', {
  start: (algorithm) => startNameServer(knot, algorithm),
  refusals: SIGNATURE_REFUSALS,
});

describeDnsWriter('BIND 9', {
  start: (algorithm) => startNameServer(bind9, algorithm),
  refusals: SIGNATURE_REFUSALS,
});
