import { tableLines } from '../report/markdown.ts';
import { knownDifference, type HostileCase } from './case.ts';
import type { BrowserName, Mode } from './mode.ts';
import type { Outcomes } from './record.ts';

const COLUMNS: readonly (readonly [string, BrowserName, Mode])[] = [
  ['Chromium: gate', 'chromium', 'gate'],
  ['tunnel', 'chromium', 'tunnel'],
  ['interception', 'chromium', 'interception'],
  ['Firefox: gate', 'firefox', 'gate'],
  ['tunnel', 'firefox', 'tunnel'],
  ['interception', 'firefox', 'interception'],
];

/** Of browsers that no case can load. */
const OTHER_BROWSERS = `## Firefox for Android
From 153 on; **not tried on a device**, as there is none here. What the browser has is taken from MDN's tables: the
background script that ships starts in a model of it (\`e2e/android\`), and \`web-ext lint\` looks for it at each build.

| | in Firefox for Android |
| --- | --- |
| images in order, data saver, sites, *This page looks broken*, *Measure this page* | as in any Firefox, without a helper; the measuring page is a tab, as there are no windows |
| a [relay](relay.md#browsers-without-a-helper) of your own | the options page takes its link |
| helper, and with it connections, memory, next page, trust, driver | no: \`runtime.connectNative\` is not there. Popup, options and welcome page say so, and name no command |
| to forget with the browser's history | no: \`history\` is not there; the options page has a button |
| heed of a proxy that somebody has set | no: \`proxy.settings\` throws, and its menus set none either |
| panel | no developer tools for extensions |

## Browsers from Snap and Flatpak
They see neither the helper's manifests nor other programs. The extension alone works there as anywhere; of the helper:

| browser | starts the helper |
| --- | --- |
| Chromium, Chrome, Brave, Edge from Snap or Flatpak | no: they have no way out of their sandbox for native messaging |
| Firefox from Snap | by the portal \`org.freedesktop.portal.WebExtensions\` of the desktop, where xdg-desktop-portal has it: Ubuntu has added it to its own since 22.04, Debian 12 has not. The portal asks the user once, and reads the manifest that \`firstscreen-helper install\` or the package has written for Firefox. By Mozilla's and Canonical's words; not tested here |
| Firefox from Flatpak | the same, and only after \`widget.use-xdg-desktop-portal.native-messaging\` is set to 2 in \`about:config\` |

\`firstscreen-helper install\` and \`doctor\` name those that they find, and say whether the portal is there. What always
works is the browser from its maker's or the distribution's own package.
`;

/** docs/compatibility.md: what is the same with and without Firstscreen, case by case. */
export function compatibilityTable(cases: readonly HostileCase[], outcomes: Outcomes): string {
  const known = cases.filter((each) => each.known !== undefined);
  const cell = (each: HostileCase, browser: BrowserName, mode: Mode): string => {
    if (each.browsers?.includes(browser) === false) return '-';
    return knownDifference(each, browser, mode) === undefined ? word(outcomes[each.name]?.[browser]?.[mode]) : `[known ${known.indexOf(each) + 1}](#known-differences)`;
  };
  const rows = cases.map((each) => [each.title, ...COLUMNS.map(([, browser, mode]) => cell(each, browser, mode))]);
  return [
    '# Compatibility',
    '',
    'Each row is a case of the hostile bed (`e2e/hostile/`): a page and servers, loaded by a browser without Firstscreen and',
    'by one with it. "same" means that the page\'s own script has seen the same, and that the servers were asked for the same',
    'with the same header fields. "-" means that the case is not for that browser. Tunnel and interception go by the local',
    'helper; the gate is at work in all of them.',
    '',
    'The table is made by the suite: `npm run compatibility` runs all cases and writes this file. A row is of the last run of',
    'its case, which may be of an earlier build.',
    '',
    ...tableLines(['Case', ...COLUMNS.map(([heading]) => heading)], rows).map((line) => line.replaceAll('<', '&lt;')),
    '',
    ...(known.length === 0 ? [] : ['## Known differences', 'A run that shows another difference, or none, fails.', '', ...known.map((each, place) => `${place + 1}. ${each.title}: ${each.known?.reason ?? ''}`), '']),
    OTHER_BROWSERS,
  ].join('\n');
}

function word(isSame: boolean | undefined): string {
  return isSame === undefined ? 'not run' : isSame ? 'same' : '**differs**';
}
