import { familyOf, type Address } from './address.ts';

/**
 * Addresses by host name from the text of a hosts file (hosts(5)): `ADDRESS NAME [ALIAS...]`, `#` begins a comment. Lines that are something else are passed
 * over, as the system's resolver does. Names in lower case.
 */
export function parseHostsFile(text: string): Map<string, Address[]> {
  const hosts = new Map<string, Address[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/);
    const family = familyOf(address);
    if (family === null) continue;
    for (const name of names) {
      const known = hosts.get(name.toLowerCase()) ?? [];
      hosts.set(name.toLowerCase(), [...known, { address, family }]);
    }
  }
  return hosts;
}
