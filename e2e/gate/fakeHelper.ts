import process from 'node:process';
import { HELPER } from '../browsers/executables.ts';

/** How a helper of the tests answers hello; `old` can do nothing, and `refusing` takes no requests. */
export type Misbehaviour = 'silent' | 'junk' | 'badSchema' | 'huge' | 'dies' | 'error' | 'old' | 'refusing';

/** Text of an executable script that stands in for the helper. */
export function fakeHelper(misbehaviour: Misbehaviour): string {
  return `#!${process.execPath}
const misbehaviour = ${JSON.stringify(misbehaviour)};
const frame = (body) => { const header = Buffer.alloc(4); header.writeUInt32LE(body.length); process.stdout.write(Buffer.concat([header, body])); };
const say = (message) => frame(Buffer.from(JSON.stringify(message)));
let input = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  input = Buffer.concat([input, chunk]);
  while (input.length >= 4 && input.length >= 4 + input.readUInt32LE()) {
    const end = 4 + input.readUInt32LE();
    answer(JSON.parse(input.subarray(4, end)));
    input = input.subarray(end);
  }
});
process.stdin.on('end', () => process.exit());
function answer({ v, id, type }) {
  const welcome = (capabilities) => say({ v, id, type: 'welcome', payload: { protocol: 1, helperVersion: '0.1.0', capabilities } });
  const error = () => say({ v, id, type: 'error', payload: { code: 'E_INTERNAL', message: 'test', next: 'test' } });
  switch (misbehaviour) {
    case 'junk': return frame(Buffer.from('\\u0000}junk{'));
    case 'badSchema': return say({ v, id, type: 'welcome', payload: { protocol: 'all' } });
    case 'silent': return;
    case 'huge': { const header = Buffer.alloc(4); header.writeUInt32LE(1024 * 1024 + 1); process.stdout.write(header); return process.stdout.write(Buffer.alloc(1024 * 1024 + 1, 32)); }
    case 'dies': return process.exit(1);
    case 'error': return error();
    case 'old': return welcome([]);
    case 'refusing': return type === 'hello' ? welcome(['proxy']) : error();
  }
}
`;
}

/** The real helper, started as by the launcher (helper/src/cli/launcher.ts); its process ids are appended to a file. */
export function realHelper(pidFile: string, extensionId: string): string {
  return `#!/bin/sh\nexec 3<&0\n'${process.execPath}' '${HELPER}' host --extension-id=${extensionId} "$@" <&3 3<&- &\necho $! >> '${pidFile}'\nwait $!\n`;
}

/** The real helper, which looks for the driver at a socket of the tests. */
export function helperWithDriver(socket: string, extensionId: string): string {
  return `#!/bin/sh\nFIRSTSCREEN_DRIVER_SOCKET='${socket}' exec '${process.execPath}' '${HELPER}' host --extension-id=${extensionId} "$@"\n`;
}

/** A helper that is another one at each start: that whose name is in `now` is run from the same directory. Process ids are appended to `pids` there. */
export function changingHelper(dir: string): string {
  return `#!/bin/sh\necho $$ >> '${dir}/pids'\nexec '${dir}'/"$(cat '${dir}/now')" "$@"\n`;
}
