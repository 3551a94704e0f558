import { boolean, literal, number, safeParse, strictObject, type GenericSchema } from 'valibot';
import type { BackgroundMessage } from '../../../shared/src/protocol/content.ts';
import type { ContentMessage } from '../../../shared/src/protocol/contentSchema.ts';
import type { HelperMessageOf } from '../../../shared/src/protocol/native.ts';
import { PANEL_PORT, type GateEvent, type HelpState, type LinkSample, type PanelNews, type PanelWish } from '../messages/panel.ts';
import { isOwnPage } from './ownPages.ts';

const PanelWishSchema: GenericSchema<unknown, PanelWish> = strictObject({ type: literal('watch'), tabId: number(), isRecording: boolean() });

/** Images are held and let go by dozens; a person follows no faster. */
const TELL_MS = 100;

type Send = (message: BackgroundMessage) => void;

interface OpenPanel {
  readonly port: chrome.runtime.Port;
  /** Null until it has said which. */
  tabId: number | null;
  isRecording: boolean;
  /** Not told yet. */
  gate: GateEvent[];
  link: LinkSample | null;
}

export interface PanelsHost {
  /** Whether some panel records: nothing is recorded otherwise. */
  recording(isWanted: boolean): void;
  link(): LinkSample;
  state(): Promise<HelpState>;
}

/**
 * The open panels of the developer tools: each gets what is known of its tab's page. While none is open, nobody is asked
 * for anything.
 */
export class Panels {
  private readonly host: PanelsHost;
  private readonly panels = new Set<OpenPanel>();
  /** Content scripts of the tabs' own documents. */
  private readonly documents = new Map<number, Set<Send>>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: PanelsHost) {
    this.host = host;
  }

  /** To be called at the top level: a worker that is woken by a panel gets its port only then. */
  accept(): void {
    chrome.runtime.onConnect.addListener((port) => {
      if (port.name !== PANEL_PORT || !isOwnPage(port.sender)) return;
      const panel: OpenPanel = { port, tabId: null, isRecording: false, gate: [], link: null };
      this.panels.add(panel);
      port.onMessage.addListener((input: unknown) => {
        const wish = safeParse(PanelWishSchema, input);
        if (wish.success) this.wish(panel, wish.output);
      });
      port.onDisconnect.addListener(() => {
        this.panels.delete(panel);
        this.changed(panel.tabId);
      });
    });
  }

  /** Whether somebody has a panel open, recording or not. */
  get areOpen(): boolean {
    return this.panels.size > 0;
  }

  /** The content script of a tab's own document is there. @returns to be called when it is gone */
  connected(tabId: number, send: Send): () => void {
    const scripts = this.documents.get(tabId) ?? new Set<Send>();
    this.documents.set(tabId, scripts.add(send));
    if (this.isRecorded(tabId)) send({ type: 'inspect', isWatched: true });
    return () => {
      scripts.delete(send);
      if (scripts.size === 0 && this.documents.get(tabId) === scripts) this.documents.delete(tabId);
    };
  }

  /** A tab's own document has said something. */
  said(tabId: number, message: ContentMessage): void {
    if (!this.isRecorded(tabId)) return;
    if (message.type === 'layout' || message.type === 'timing' || message.type === 'inspected' || message.type === 'shown') this.tell(tabId, message);
  }

  gated(tabId: number, event: GateEvent): void {
    if (!this.areOpen) return;
    for (const panel of this.recordingOf(tabId)) panel.gate.push(event);
    this.tellSoon();
  }

  linkChanged(): void {
    if (!this.areOpen) return;
    const link = this.host.link();
    for (const panel of this.panels) panel.link = link;
    this.tellSoon();
  }

  requests(requests: HelperMessageOf<'requests'>['payload']): void {
    if (this.areOpen) this.tell(null, { type: 'requests', requests });
  }

  /** How the extension stands to pages may be another now; a helper may be a new one. */
  stateChanged(): void {
    if (!this.areOpen) return;
    this.host.recording(this.isAnyRecording);
    void this.host.state().then((state) => {
      for (const { port } of this.panels) port.postMessage({ type: 'state', state } satisfies PanelNews);
    });
  }

  private wish(panel: OpenPanel, { tabId, isRecording }: PanelWish): void {
    const before = panel.tabId;
    [panel.tabId, panel.isRecording] = [tabId, isRecording];
    if (before !== tabId) this.changed(before);
    this.changed(tabId);
    this.stateChanged();
    this.linkChanged();
  }

  /** Who records a tab has changed. */
  private changed(tabId: number | null): void {
    this.host.recording(this.isAnyRecording);
    if (tabId === null) return;
    for (const send of this.documents.get(tabId) ?? []) send({ type: 'inspect', isWatched: this.isRecorded(tabId) });
  }

  /** @param tabId null for all panels */
  private tell(tabId: number | null, news: PanelNews): void {
    for (const { port } of this.recordingOf(tabId)) port.postMessage(news);
  }

  private tellSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      for (const panel of this.panels) {
        if (panel.gate.length > 0) panel.port.postMessage({ type: 'gate', events: panel.gate } satisfies PanelNews);
        if (panel.link !== null) panel.port.postMessage({ type: 'link', link: panel.link } satisfies PanelNews);
        [panel.gate, panel.link] = [[], null];
      }
    }, TELL_MS);
  }

  private get isAnyRecording(): boolean {
    return this.recordingOf(null).length > 0;
  }

  private isRecorded(tabId: number): boolean {
    return this.areOpen && this.recordingOf(tabId).length > 0;
  }

  private recordingOf(tabId: number | null): OpenPanel[] {
    return [...this.panels].filter((panel) => panel.isRecording && panel.tabId !== null && (tabId === null || panel.tabId === tabId));
  }
}
