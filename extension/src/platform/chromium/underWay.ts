type Details = Pick<chrome.webRequest.WebRequestDetails, 'requestId'>;

const SCHEMES = ['*', 'ws', 'wss'];

/**
 * Tells of requests that were under way to a host when it was left, once there is an answer to one or none can be had.
 * Each of them goes on by itself to the next way of the script's list, and has done so by then.
 */
export class RequestsUnderWay {
  private readonly arrived: () => void;
  /** Requests that were begun when their host had been left. */
  private readonly later = new Set<string>();
  private hosts = '';
  private readonly begun = ({ requestId }: Details): undefined => void this.later.add(requestId);
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
    const { onBeforeRequest, onBeforeRedirect, onResponseStarted, onErrorOccurred } = chrome.webRequest;
    const ends = [onBeforeRedirect, onResponseStarted, onErrorOccurred];
    onBeforeRequest.removeListener(this.begun);
    for (const end of ends) end.removeListener(this.over);
    if (hosts.length === 0) return;
    const filter = { urls: hosts.flatMap((host) => SCHEMES.map((scheme) => `${scheme}://${host}/*`)) };
    onBeforeRequest.addListener(this.begun, filter);
    for (const end of ends) end.addListener(this.over, filter);
  }
}
