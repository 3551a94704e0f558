import { expect, it } from 'vitest';
import { looksFurther } from './looksFurther.ts';

const PLAIN = 'nameserver 10.0.0.1\n';

it.each<[string, string, string, boolean]>([
  ['no file, as on macOS', '', PLAIN, true],
  ['no line of hosts', 'passwd: files\n', PLAIN, true],
  ['files and the DNS', 'passwd: files ldap\nhosts:\tfiles dns # ldap\nnetworks: files ldap\n', PLAIN, false],
  ['Debian', 'hosts:          files mdns4_minimal [NOTFOUND=return] dns myhostname\n', PLAIN, false],
  ['a directory', 'hosts: files dns ldap\n', PLAIN, true],
  ["systemd's own", 'hosts: files resolve [!UNAVAIL=return] dns\n', PLAIN, true],
  ['names are looked up in domains', 'hosts: files dns\n', `search corp.test\n${PLAIN}`, true],
])('%s', (_, services, resolver, expected) => expect(looksFurther(services, resolver)).toBe(expected));
