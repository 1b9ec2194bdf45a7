/** Which addresses of the internet a server may call for somebody else: none that leads into its own network. */
import { BlockList, isIP, isIPv4 } from 'node:net';

/** Special-purpose blocks of IPv4 (RFC 6890), among them private, shared (CGNAT), loopback and link-local ones. */
const specialBlocks = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;
/** Within the global unicast block of IPv6: what contains another address, and documentation. */
const specialBlocks6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const special = new BlockList();
for (const [address, bits] of specialBlocks) special.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of specialBlocks6) special.addSubnet(address, bits, 'ipv6');
/** All other IPv6 is local, mapped from IPv4, multicast or unassigned. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  return isIP(address) === 6 && globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
