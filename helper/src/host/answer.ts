import { FirstscreenError } from '../../../shared/src/errors.ts';
import {
  PROTOCOL_VERSION,
  type ExtensionMessage,
  type ExtensionMessageOf,
  type HelperMessage,
  type HelperMessageOf,
} from '../../../shared/src/protocol/native.ts';
import type { DriverLink } from '../driver/driverLink.ts';
import type { MemoryStore } from '../memory/memoryStore.ts';
import type { NetworkFollower } from '../networks/networkFollower.ts';
import { HELPER_VERSION } from '../version.ts';
import type { ObjectRanks } from '../prediction/objectRanks.ts';
import type { HostProxy } from './hostProxy.ts';
import type { LeaveQuestions } from './leaveQuestions.ts';
import type { RequestNews } from './requestNews.ts';

/** What this helper can do beyond answering `ping`; docs/protocol.md lists every name. Driver and networks are for Linux, and `asking` is with a relay. */
const CAPABILITIES: readonly string[] = ['closeConnections', 'memory', 'memoryList', 'nextPage', 'proxy', 'ranks', 'record', 'saveData', 'tunnelOnly', ...(process.platform === 'linux' ? ['driver', 'networks'] : [])];

/** What answers are made of. */
export interface Knowledge {
  readonly memory: Pick<MemoryStore, 'known' | 'visited' | 'sites' | 'forget' | 'forgetPages'>;
  readonly proxy: Pick<HostProxy, 'start' | 'hasRelay' | 'asking' | 'navigating' | 'pointed' | 'upgraded' | 'intercept' | 'tunnelOnly' | 'closeConnections' | 'saveData' | 'isCutOff' | 'remembered' | 'forgotten' | 'withObserved'>;
  readonly ranks: Pick<ObjectRanks, 'ranked'>;
  readonly questions: Pick<LeaveQuestions, 'answered'>;
  readonly driver: Pick<DriverLink, 'report'>;
  readonly news: Pick<RequestNews, 'want'>;
  readonly networks: Pick<NetworkFollower, 'wasFast' | 'judged'>;
  /** Not when somebody has uninstalled the helper under this process: `uninstall` has erased what was learnt, and nothing is written anew. */
  readonly mayLearn: () => boolean;
}

/** Answers `hello`. @param hasRelay whether a relay is set up @throws FirstscreenError E_PROTOCOL_VERSION when the extension does not speak our version */
export function welcome(hello: ExtensionMessageOf<'hello'>, hasRelay: boolean): HelperMessageOf<'welcome'> {
  if (!hello.payload.protocols.includes(PROTOCOL_VERSION)) {
    throw new FirstscreenError(
      'E_PROTOCOL_VERSION',
      `The extension speaks protocol ${hello.payload.protocols.join(', ')}, the helper ${PROTOCOL_VERSION}.`,
      'Update the extension and the helper to the same release.',
    );
  }
  return {
    v: PROTOCOL_VERSION,
    id: hello.id,
    type: 'welcome',
    payload: { protocol: PROTOCOL_VERSION, helperVersion: HELPER_VERSION, capabilities: [...CAPABILITIES, ...(hasRelay ? ['asking'] : [])] },
  };
}

/**
 * Answers what is said after `hello`.
 *
 * @returns null for what is an answer itself, or wants none. @throws FirstscreenError E_MESSAGE_ORDER for a second `hello`
 */
export function answer(message: ExtensionMessage, knowledge: Knowledge): HelperMessage | Promise<HelperMessage> | null {
  const { memory, proxy, ranks, questions, driver, news, networks, mayLearn } = knowledge;
  const envelope = { v: PROTOCOL_VERSION, id: message.id } as const;
  const forgotten = (pages: number): HelperMessage => {
    proxy.forgotten();
    return { ...envelope, type: 'forgotten', payload: { pages } };
  };
  switch (message.type) {
    case 'ping':
      return { ...envelope, type: 'pong', payload: {} };
    case 'ranks':
      ranks.ranked(message.payload.images);
      return null;
    case 'proxy':
      return proxy.start(message.payload).then((payload) => ({ ...envelope, type: 'proxied', payload }));
    case 'intercept':
      return proxy.intercept().then(() => ({ ...envelope, type: 'intercepting', payload: {} }));
    case 'driver':
      return driver.report().then((payload) => ({ ...envelope, type: 'driverReport', payload }));
    case 'left':
      questions.answered(message.id, message.payload.done);
      return null;
    case 'upgraded':
      proxy.upgraded(message.payload.hosts);
      return null;
    case 'visited': {
      if (!mayLearn() || proxy.isCutOff(message.payload.url)) return null;
      const visit = proxy.withObserved(message.payload, memory.known(message.payload.url));
      memory.visited(visit);
      proxy.remembered(visit);
      return null;
    }
    case 'asking':
      proxy.asking(message.payload.images);
      return null;
    case 'navigating':
      proxy.navigating(message.payload.url);
      return null;
    case 'pointed':
      proxy.pointed(message.payload);
      return null;
    case 'tunnelOnly':
      proxy.tunnelOnly(message.payload.hosts);
      return null;
    case 'saveData':
      proxy.saveData(message.payload);
      return null;
    case 'closeConnections':
      return proxy.closeConnections(message.payload.origin).then((port) => ({ ...envelope, type: 'connectionsClosed', payload: { port } }));
    case 'remembered':
      return { ...envelope, type: 'rememberedSites', payload: memory.sites() };
    case 'forget':
      return forgotten(memory.forget(message.payload.site));
    case 'historyRemoved': {
      const { urls } = message.payload;
      return forgotten(urls === null ? memory.forget(null) : memory.forgetPages(urls));
    }
    case 'record':
      news.want(message.payload.isWanted);
      return null;
    case 'network':
      return { ...envelope, type: 'knownNetwork', payload: { wasFast: networks.wasFast() } };
    case 'judged':
      if (mayLearn()) networks.judged(message.payload.verdict);
      return null;
    case 'hello':
      throw new FirstscreenError('E_MESSAGE_ORDER', 'A second hello was said on a port that is open.', 'Open a new port to start again.');
  }
}

/** The coded answer to a message that was refused; `id` is the refused message's, 0 when it has none. */
export function refusal(id: number, error: FirstscreenError): HelperMessageOf<'error'> {
  return { v: PROTOCOL_VERSION, id, type: 'error', payload: { code: error.code, message: error.message, next: error.next } };
}
