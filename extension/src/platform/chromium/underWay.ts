type Details = Pick<chrome.webRequest.WebRequestDetails, 'requestId'>;

const SCHEMES = ['*', 'ws', 'wss'];

/**
 * Tells of requests that were under way to a host when it was left, once there is an answer to one or none can be had.
 * Each of them goes on by itself to the next way of the script's list, and has done so by then.
 */
export class RequestsUnderWay {
  private readonly arrived: () => void;
  /** Requests that were begun when their host had been left, or that have been told of. */
  private readonly later = new Set<string>();
  private hosts = '';
  private readonly begun = ({ requestId }: Details): undefined => void this.later.add(requestId);
  private readonly answered = ({ requestId }: Details): undefined => {
    if (this.later.has(requestId)) return;
    // a page that ends it in the middle, as players do, says nothing of its way
    this.later.add(requestId);
    this.arrived();
  };
  private readonly completed = ({ requestId }: Details): undefined => void this.later.delete(requestId);
  private readonly over = ({ requestId }: Details): undefined => {
    if (!this.later.delete(requestId)) this.arrived();
  };

  constructor(arrived: () => void) {
    this.arrived = arrived;
  }

  /** @param hosts those that have been left */
  watch(hosts: readonly string[]): void {
    if (hosts.join() === this.hosts) return;
    this.hosts = hosts.join();
    const { onBeforeRequest, onBeforeRedirect, onResponseStarted, onCompleted, onErrorOccurred } = chrome.webRequest;
    const heard = [[onBeforeRequest, this.begun], [onBeforeRedirect, this.over], [onResponseStarted, this.answered], [onCompleted, this.completed], [onErrorOccurred, this.over]] as const;
    for (const [event, listener] of heard) event.removeListener(listener);
    if (hosts.length === 0) return;
    const filter = { urls: hosts.flatMap((host) => SCHEMES.map((scheme) => `${scheme}://${host}/*`)) };
    for (const [event, listener] of heard) event.addListener(listener, filter);
  }
}
