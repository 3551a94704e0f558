import { STATUS_PORT } from '../messages/status.ts';
import { isOwnPage } from './ownPages.ts';

/** Counts change with every image; a person follows no faster. */
const TELL_MS = 250;

/** The open popups, and the extension's other pages: each is told that its tab's status may be another one now, and asks again. */
export class Popups {
  private readonly ports = new Set<chrome.runtime.Port>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** To be called at the top level: a worker that is woken by a popup gets its port only then. */
  accept(): void {
    chrome.runtime.onConnect.addListener((port) => {
      if (port.name !== STATUS_PORT || !isOwnPage(port.sender)) return;
      this.ports.add(port);
      port.onDisconnect.addListener(() => this.ports.delete(port));
      // that it was taken (ui/steadyPort.ts)
      port.postMessage(null);
    });
  }

  /** Whether somebody has a page of the extension open. */
  get areOpen(): boolean {
    return this.ports.size > 0;
  }

  changed(): void {
    if (!this.areOpen) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      for (const port of this.ports) port.postMessage(null);
    }, TELL_MS);
  }
}
