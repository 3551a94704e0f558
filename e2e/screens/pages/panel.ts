import path from 'node:path';
import type { ScreenPage, ScreenState, Step } from '../screenPage.ts';

/** Of the demo pages. */
export const RECORDED_PAGE = 'gallery-medium';
/** A load of it over an emulated 3G link, as the panel has exported it, beside one without Firstscreen: `node e2e/screens/recording/record.ts` makes it anew. */
export const RECORDING = path.join(import.meta.dirname, `../recording/${RECORDED_PAGE}.firstscreen.json`);
const OPEN: Step = { choose: '#file', file: RECORDING };

export const PANEL: ScreenPage = {
  name: 'panel',
  width: 1280,
  height: 800,
  isInDevtools: true,
  states: [
    { ...recorded('requests', 'Recording from'), isInReadme: true },
    { name: 'empty', shows: 'Reload the page to record its load.', height: 400 },
    recorded('throughput', 'Time', { click: '#tab-throughput-head' }),
    recorded('connections', 'In vain before the first screen', { click: '#tab-connections-head' }),
    recorded('help', 'Carried by the helper', { click: '#tab-help-head' }),
    recorded('selected', 'after the navigation', { click: '#requests tbody tr[data-key]:nth-of-type(3)' }),
  ],
};

function recorded(name: string, shows: string, ...steps: readonly Step[]): ScreenState {
  return { name, shows, steps: [OPEN, ...steps], ...(steps.length > 0 && { height: 640 }) };
}
