const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);

/**
 * Returns why the text cannot be the IPv4 address of an ingress, as the rest of a sentence; undefined if it can. Some
 * addresses mean a different machine to each visitor. A public name with such an address would lead a visitor's browser
 * to the visitor's own services. Private addresses are allowed, because clusters have them. Rule E4.
 */
export function ingressAddressFault(text: string): string | undefined {
  if (!IPV4.test(text)) return 'is no IPv4 address';
  const [first, second] = text.split('.').map(Number);
  if (first === 0) return 'is an unspecified address';
  if (first === 127) return 'is a loopback address';
  if (first === 169 && second === 254) return 'is a link-local address';
  if (first! >= 224 && first! <= 239) return 'is a multicast address';
  if (first! >= 240) return 'is a reserved or broadcast address';
  return undefined;
}
