/** Hosts, of which some may be added. */
export interface HostList {
  has(host: string): boolean;
  add(host: string): void;
}
