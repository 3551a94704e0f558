/**
 * Whether an extension and a helper are of releases that fit: both name their version when they greet each other
 * (docs/protocol.md, Versions), and popup and `doctor` say the same of it.
 */

/** The versions of the two sides, as `hello` and `welcome` give them. */
export interface Releases {
  readonly extension: string;
  readonly helper: string;
}

/** Which side is behind, or that the two have no protocol in common and one of them has not told its version. */
export type Misfit = 'helperOlder' | 'extensionOlder' | 'protocol';

/** Major and minor number; what is no version is older than every version. */
type Line = readonly [major: number, minor: number];

/**
 * Releases fit that agree on the first two numbers of their versions: a third one mends, and changes nothing that the
 * other side could see. What a side can do beyond that it says itself (capabilities).
 *
 * @returns null when they fit
 */
export function misfitOf({ extension, helper }: Releases): Exclude<Misfit, 'protocol'> | null {
  const [ofExtension, ofHelper] = [lineOf(extension), lineOf(helper)];
  const ahead = ofExtension[0] - ofHelper[0] || ofExtension[1] - ofHelper[1];
  if (ahead === 0) return null;
  return ahead > 0 ? 'helperOlder' : 'extensionOlder';
}

/** What a person reads of it: how things stand, and the next step. */
export interface MisfitReport {
  readonly text: string;
  readonly next: string;
}

export function misfitReport(misfit: Misfit, { extension, helper }: Releases): MisfitReport {
  switch (misfit) {
    case 'helperOlder':
      return { text: `The helper (${helper}) is older than the extension (${extension})`, next: 'Install the helper of the same release.' };
    case 'extensionOlder':
      return { text: `The extension (${extension}) is older than the helper (${helper})`, next: "Update the extension on the browser's page of extensions." };
    case 'protocol':
      return { text: 'The extension and the helper do not understand each other', next: 'Install both of the same release.' };
  }
}

function lineOf(version: string): Line {
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})(?![\d])/.exec(version) ?? [];
  return [Number(major ?? -1), Number(minor ?? -1)];
}
