import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BackgroundPort } from './backgroundPort.ts';

class FakePort {
  isOpen = true;
  readonly said: unknown[] = [];
  readonly onMessage = { addListener: (hear: (message: unknown) => void) => (this.hear = hear) };
  hear: (message: unknown) => void = () => undefined;
  readonly onDisconnect = { addListener: (told: () => void) => (this.told = told) };
  private told = (): void => undefined;

  postMessage(message: unknown): void {
    if (!this.isOpen) throw new Error('Attempt to postMessage on disconnected port');
    this.said.push(message);
  }

  /** The browser closes it; the page hears of that when it is told. */
  close(): () => void {
    this.isOpen = false;
    return this.told;
  }
}

let ports: FakePort[];
let page: EventTarget;
let document: EventTarget & { visibilityState: string };
beforeEach(() => {
  ports = [];
  page = new EventTarget();
  document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', document);
  vi.stubGlobal('chrome', { runtime: { connect: () => ports[ports.push(new FakePort()) - 1] } });
});

const shown = (persisted: boolean): void => void page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
const STAND_DOWN = { type: 'standDown' } as const;

describe('the port to the background script', () => {
  it('is one, whatever happens in the page', () => {
    const opened = vi.fn();
    new BackgroundPort(() => undefined, opened);
    shown(false);
    page.dispatchEvent(new Event('scroll'));
    expect([ports.length, opened.mock.calls.length]).toEqual([1, 1]);
  });

  it('is not opened before somebody sees the document', () => {
    document.visibilityState = 'hidden';
    new BackgroundPort(() => undefined, () => undefined);
    expect(ports).toEqual([]);
    document.visibilityState = 'visible';
    document.dispatchEvent(new Event('visibilitychange'));
    expect(ports).toHaveLength(1);
  });

  it('is opened again when somebody moves the document after it was lost, if anything was asked of it', () => {
    const heard = vi.fn();
    new BackgroundPort(heard, () => undefined);
    ports[0]?.close()();
    page.dispatchEvent(new Event('scroll'));
    expect(ports).toHaveLength(1);
    document.dispatchEvent(new Event('visibilitychange'));
    ports[1]?.hear({ type: 'look', look: 1 });
    ports[1]?.close()();
    page.dispatchEvent(new Event('scroll'));
    expect([ports.length, heard.mock.calls]).toEqual([3, [[{ type: 'look', look: 1 }]]]);
  });

  it('is opened again when the document comes back, though its end is told only then', () => {
    const port = new BackgroundPort(() => undefined, () => undefined);
    const tellEnd = ports[0]?.close();
    shown(true);
    tellEnd?.();
    expect(port.send(STAND_DOWN)).toBe(true);
    expect(ports.map(({ said }) => said)).toEqual([[], [STAND_DOWN]]);
    // not told yet
    ports[1]?.close();
    expect([port.send(STAND_DOWN), port.send(STAND_DOWN)]).toEqual([false, false]);
  });
});
