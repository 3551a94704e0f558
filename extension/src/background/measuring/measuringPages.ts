import { safeParse } from 'valibot';
import { MEASURING_PORT, type Measurement, type MeasuringNews, type MeasuringOptions, type Subject } from '../../messages/measuring.ts';
import { log, logFailure } from '../log.ts';
import { isOwnPage } from '../ownPages.ts';
import { MeasuringRequestSchema } from './measurementSchema.ts';

export interface MeasuringControl {
  readonly measurement: Measurement | null;
  look(tabId: number): Promise<Subject>;
  /** Begins, if nothing is against it. @returns what was */
  start(tabId: number, options: MeasuringOptions, maySpend: boolean): Promise<Subject>;
  goOn(): void;
  cancel(): void;
}

/** A page that is loaded anew, or whose background script was ended, is there again by then. */
const GONE_MS = 5_000;

/** The open pages that measure: each is told how a measurement stands, and may begin and end it. */
export class MeasuringPages {
  private readonly ports = new Set<chrome.runtime.Port>();

  /** To be called at the top level: a worker that is woken by a page gets its port only then. */
  accept(control: MeasuringControl): void {
    chrome.runtime.onConnect.addListener((port) => {
      if (port.name !== MEASURING_PORT || !isOwnPage(port.sender)) return;
      this.ports.add(port);
      port.onDisconnect.addListener(() => {
        this.ports.delete(port);
        this.endUnwatched(control);
      });
      port.onMessage.addListener((input: unknown) => void this.heard(port, input, control).catch(logFailure('measuring', 'a page that measures was not answered')));
      say(port, { type: 'measurement', measurement: control.measurement });
    });
  }

  /** Nothing is measured that nobody watches. */
  endUnwatched(control: MeasuringControl): void {
    setTimeout(() => {
      if (this.ports.size === 0) control.cancel();
    }, GONE_MS);
  }

  tell(measurement: Measurement): void {
    for (const port of this.ports) say(port, { type: 'measurement', measurement });
  }

  private async heard(port: chrome.runtime.Port, input: unknown, control: MeasuringControl): Promise<void> {
    const request = safeParse(MeasuringRequestSchema, input);
    if (!request.success) {
      log('warn', 'measuring', 'E_MESSAGE_SCHEMA', 'a page sent a message that does not fit its schema; ignored');
      return;
    }
    const { output } = request;
    if (output.type === 'goOn') control.goOn();
    else if (output.type === 'cancel') control.cancel();
    else {
      const subject = await (output.type === 'look' ? control.look(output.tabId) : control.start(output.tabId, output.options, output.maySpend));
      if (this.ports.has(port)) say(port, { type: 'subject', subject });
    }
  }
}

function say(port: chrome.runtime.Port, news: MeasuringNews): void {
  port.postMessage(news);
}
