import { commandByPath, helperCommand } from '../ui/helperProgram.ts';
import { t } from '../ui/texts.ts';

/** One way to do something in a terminal. */
export interface Command {
  /** For whom it is, where there are several ways; else empty. */
  readonly label: string;
  readonly text: string;
}

/** What commands are for. */
export interface Machine {
  /** As `runtime.getPlatformInfo` names it. */
  readonly os: string;
  readonly arch: string;
  /** Of the extension: the files of a release bear it. */
  readonly version: string;
}

/** Architectures for which a release has an executable, by the names that browsers have for them. */
const EXECUTABLES: Readonly<Record<string, string>> = { 'x86-64': 'x64', arm64: 'arm64', aarch64: 'arm64' };
/** That of Debian's package. */
const PACKAGED = 'x64';

/** To install the helper, as docs/helper.md has it; none where there is no helper. */
export function helperCommands({ os, arch, version }: Machine): readonly Command[] {
  if (os !== 'linux' && os !== 'mac') return [];
  const name = os === 'linux' ? EXECUTABLES[arch] : undefined;
  if (name === undefined) return [{ label: t('welcomeCommandWithNode'), text: 'node dist/helper/firstscreen-helper.mjs install' }];
  const executable = `firstscreen-helper-${version}-linux-${name}`;
  return [
    ...(name === PACKAGED ? [{ label: t('welcomeCommandOnDebian'), text: `sudo apt install ./firstscreen_${version}_amd64.deb` }] : []),
    // what a browser has downloaded can not be run yet
    { label: t('welcomeCommandOnLinux'), text: `chmod +x ${executable} && ./${executable} install` },
  ];
}

/** To let the helper open encrypted connections; none where its browsers' stores are not known. */
export function trustCommands({ os }: Machine): readonly Command[] {
  if (os !== 'linux') return [];
  return [
    { label: t('welcomeCommandInPath'), text: helperCommand('trust') },
    { label: t('welcomeCommandByPath'), text: commandByPath(helperCommand('trust')) },
  ];
}

/** To install the driver, and to be let in, as docs/driver.md has it. */
export function driverCommands(): readonly Command[] {
  return [{ label: '', text: 'sudo apt install ./firstscreen-driver_*.deb && sudo systemctl enable --now firstscreen-driver && sudo adduser "$USER" firstscreen' }];
}
