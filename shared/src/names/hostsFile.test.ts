import { describe, expect, it } from 'vitest';
import { parseHostsFile } from './hostsFile.ts';

describe('parseHostsFile', () => {
  it('names, aliases, both families, comments', () => {
    const hosts = parseHostsFile('127.0.0.1\tlocalhost\n# a comment\n192.0.2.7 Web.test alias.test # here too\n::1 localhost\n2001:db8::7   web.test\n');
    expect(hosts.get('localhost')).toEqual([{ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 }]);
    expect(hosts.get('web.test')).toEqual([{ address: '192.0.2.7', family: 4 }, { address: '2001:db8::7', family: 6 }]);
    expect(hosts.get('alias.test')).toEqual([{ address: '192.0.2.7', family: 4 }]);
  });

  it('passes over what is no entry', () => {
    expect(parseHostsFile('not-an-address name\n\n   \n300.1.1.1 b\n127.0.0.1').size).toBe(0);
  });
});
