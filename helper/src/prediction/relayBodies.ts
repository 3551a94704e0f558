import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { cookieOf } from '../../../shared/src/node/http/requestFields.ts';
import type { SeenObject } from '../../../shared/src/memory/neededObject.ts';
import { originOf } from '../../../shared/src/page/origin.ts';
import type { BodyPlace, BodyStore, FormerBodies, OwnBody } from '../relay/bodyStore.ts';
import { isDocument, isThirdPartyFrame, partitionOf } from './browserRequest.ts';
import { partitionOfObject } from './rememberedRequests.ts';

/** Bodies by the requests that they answer, as the browser parts its cache. */
export class RelayBodies implements FormerBodies {
  private readonly store: BodyStore;
  readonly mayRemember: () => boolean;

  /** @param mayRemember whether anything is kept now, or told of what was */
  constructor(store: BodyStore, mayRemember: () => boolean) {
    [this.store, this.mayRemember] = [store, mayRemember];
  }

  find(url: string, request: RawHeaders): OwnBody[] {
    return this.mayRemember() && mayTell(url, request) ? this.store.find({ partition: partitionOf(url, request), url }, isDocument(request)) : [];
  }

  have(page: string): readonly string[] {
    return this.mayRemember() ? this.store.objects({ url: page, partition: originOf(page) }) : [];
  }

  received(url: string, request: RawHeaders, body: Buffer): void {
    if (this.mayRemember() && mayTell(url, request)) this.store.received({ partition: partitionOf(url, request), url }, body);
  }

  name(): string | null {
    return this.mayRemember() ? this.store.name() : null;
  }

  /** All that was kept is erased. */
  erased(): void {
    this.store.erased();
  }

  /** A visit is remembered. @returns settles when its bodies are on disk */
  keep(page: string, objects: readonly SeenObject[]): Promise<void> {
    const places = objects.map(({ url, request }): BodyPlace => ({ url, partition: partitionOfObject(page, request) }));
    return this.store.keep([{ url: page, partition: originOf(page) }, ...places]);
  }
}

/**
 * Whether the size of an answer may follow from a former one: not where another site has asked for what this user alone is given, as it could guess from times what that is (RFC 9842, section 9).
 */
function mayTell(url: string, request: RawHeaders): boolean {
  const site = valueOf(request, 'sec-fetch-site');
  const isOwn = site === 'same-origin' || site === 'none' || (isDocument(request) && !isThirdPartyFrame(request)) || (site === null && partitionOf(url, request) === originOf(url));
  return isOwn || (cookieOf(request) === null && valueOf(request, 'authorization') === null);
}
