import { STATUS_PORT } from '../messages/status.ts';
import { isOwnPage } from './ownPages.ts';

/** Counts change with every image; a person follows no faster. */
const TELL_MS = 250;

/** The open popups: each is told that its tab's status may be another one now, and asks again. */
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

  changed(): void {
    if (this.ports.size === 0) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      for (const port of this.ports) port.postMessage(null);
    }, TELL_MS);
  }
}
