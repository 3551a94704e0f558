import { pictureName } from './pictures.ts';
import { screensOf, type ScreenPage } from './screenPage.ts';
import { SCHEMES } from './stage.ts';

const BROWSERS = ['chromium', 'firefox'] as const;
const WIDTH_PX = 300;

/** docs/screens/README.md: every picture, one row a state. */
export function gallery(pages: readonly ScreenPage[]): string {
  return `# Screens\n\nEvery page of the extension in every state, made by \`npm run screens\` (made data; [development](../development.md#screens)).\n${pages.map(sectionOf).join('')}`;
}

function sectionOf(page: ScreenPage): string {
  const heads = BROWSERS.flatMap((browser) => SCHEMES.map((scheme) => `${browser}, ${scheme}`));
  const rows = screensOf([page]).map((screen) => {
    const cells = BROWSERS.flatMap((browser) => SCHEMES.map((scheme) => `<img src="${browser}/${pictureName(screen, { scheme, scale: 1 })}" width="${WIDTH_PX}" alt="${page.name}: ${screen.state.name}">`));
    return `| ${[screen.state.name, ...cells].join(' | ')} |\n`;
  });
  return `\n## ${page.name}\n\n| state | ${heads.join(' | ')} |\n|${' --- |'.repeat(heads.length + 1)}\n${rows.join('')}`;
}
