import type { World } from './fakeExtension.ts';

/** What somebody does on a page to come to a state. */
export type Step = { readonly click: string } | { readonly choose: string; readonly file: string };

/** One look of a page. */
export interface ScreenState {
  /** Part of the names of its pictures. */
  readonly name: string;
  /** In English: text that is on the page once the state is reached, and not before. */
  readonly shows: string;
  /** What is not given is as it is with the extension just installed, and with a page of the web in the tab. */
  readonly world?: Partial<World>;
  readonly steps?: readonly Step[];
  /** Of the window, where it is not the page's. */
  readonly height?: number;
  /** Whether the README shows it: then docs/ has Chromium's light one at twice the resolution, too. */
  readonly isInReadme?: boolean;
}

/** A page of the extension. */
export interface ScreenPage {
  /** That of its file, without `.html`. */
  readonly name: string;
  /** In CSS pixels. A page that is `whole` is as high as its content. */
  readonly width: number;
  readonly height: number | 'whole';
  /** Whether it is one of the developer tools. */
  readonly isInDevtools?: boolean;
  /** The first one stands for the page in the tests that have to be quick. */
  readonly states: readonly [ScreenState, ...ScreenState[]];
}

const INSTALLED: World = { storage: {}, session: {}, granted: ['http://*/*', 'https://*/*'], tab: { id: 1, url: 'https://news.example/world', incognito: false }, answers: {}, news: {} };

export function worldOf({ world }: ScreenState): World {
  return { ...INSTALLED, ...world };
}

/** A page in one of its states. */
export interface Screen {
  readonly page: ScreenPage;
  readonly state: ScreenState;
}

export function screensOf(pages: readonly ScreenPage[]): Screen[] {
  return pages.flatMap((page) => page.states.map((state) => ({ page, state })));
}
