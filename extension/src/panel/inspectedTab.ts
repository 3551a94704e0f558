import { safeParse } from 'valibot';
import type { BrowserRequest } from './model/browserRequest.ts';
import { HarEntrySchema, browserRequestOf } from './model/harEntry.ts';

/** What the developer tools tell of the tab that they inspect. */
export interface InspectedTab {
  readonly tabId: number;
  /** @param requested a request has ended; also of those from before the panel was opened */
  listen(requested: (request: BrowserRequest) => void, navigated: (url: string) => void): void;
  reload(): void;
}

/** Null where the panel's page is opened by itself, to look at recordings. */
export function inspectedTab(): InspectedTab | null {
  const devtools = chrome.devtools as typeof chrome.devtools | undefined;
  if (devtools === undefined) return null;
  const { network, inspectedWindow } = devtools;
  return {
    tabId: inspectedWindow.tabId,
    reload: () => inspectedWindow.reload(),
    listen(requested, navigated) {
      const take = (entry: unknown): void => {
        const parsed = safeParse(HarEntrySchema, entry);
        const request = parsed.success ? browserRequestOf(parsed.output, 0) : null;
        if (request !== null) requested(request);
      };
      network.onRequestFinished.addListener(take);
      network.onNavigated.addListener(navigated);
      network.getHAR((har) => {
        for (const entry of (har as { readonly entries?: readonly unknown[] }).entries ?? []) take(entry);
      });
    },
  };
}

/** Light or dark as the developer tools are, whatever the system is. */
export function followTheme(changed: () => void): void {
  const panels = (chrome.devtools as typeof chrome.devtools | undefined)?.panels as ThemedPanels | undefined;
  if (panels === undefined) return;
  const apply = (name: string): void => {
    document.documentElement.style.colorScheme = name === 'dark' ? 'dark' : 'light';
    changed();
  };
  apply(panels.themeName ?? '');
  panels.onThemeChanged?.addListener(apply);
  panels.setThemeChangeHandler?.(apply);
}

/** Chromium has the one, Firefox the other. */
interface ThemedPanels {
  readonly themeName?: string;
  readonly onThemeChanged?: { addListener(listener: (name: string) => void): void };
  setThemeChangeHandler?(listener: (name: string) => void): void;
}
