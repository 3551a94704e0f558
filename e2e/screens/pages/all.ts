import type { ScreenPage } from '../screenPage.ts';
import { MEASURE } from './measure.ts';
import { OPTIONS } from './options.ts';
import { PANEL } from './panel.ts';
import { POPUP } from './popup.ts';
import { WELCOME } from './welcome.ts';

/** Every page of the extension that people see: one entry each, or `screens.browser.test.ts` fails. */
export const SCREEN_PAGES: readonly ScreenPage[] = [WELCOME, POPUP, OPTIONS, PANEL, MEASURE];
