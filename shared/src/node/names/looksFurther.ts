import { parseSearchDomains } from './searchDomains.ts';

/**
 * Name services that know no host with a dot in its name but those of the hosts file, of the DNS, and of a home network
 * (.local).
 */
const NO_MORE: ReadonlySet<string> = new Set(['files', 'dns', 'myhostname', 'mdns_minimal', 'mdns4_minimal', 'mdns6_minimal']);

/**
 * Whether the system's own lookup may know hosts of which the DNS says that there are none. It asks the same resolvers
 * once more, and a page's script may wait for that; browsers too look no further where nothing else is set.
 *
 * @param services text of nsswitch.conf(5); a system without it may know more
 * @param resolver text of resolv.conf(5)
 */
export function looksFurther(services: string, resolver: string): boolean {
  const [, line = ''] = /^[ \t]*hosts:([^#\n]*)/m.exec(services) ?? [];
  // what is to be done at which outcome stands in brackets
  const names = line.replace(/\[[^\]]*\]/g, ' ').split(/\s+/).filter((name) => name !== '');
  return names.length === 0 || names.some((name) => !NO_MORE.has(name)) || parseSearchDomains(resolver).length > 0;
}
