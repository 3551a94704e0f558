import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { coveringHost, type HostTable } from '../urls/coveringHost.ts';
import { siteOfHost, siteOfUrl } from './siteName.ts';

/** As many as the helper takes (`tunnelOnly`), and more than anybody looks through. */
export const MAX_SITES = 1_000;
/** MAX_SITES of the longest names, as they are exported. */
export const MAX_FILE_BYTES = 512 * 1024;
/** Of what is stored and exported. The version before, which knew no data saver, is read too; no other one is. */
const VERSION = 2;

/** Whether images far from the view are fetched only when somebody comes near them; `inherit`: as in general. */
export const DATA_SAVER = ['inherit', 'on', 'off'] as const;
export type DataSaverRule = (typeof DATA_SAVER)[number];

/** What a person has decided for a site: for its host (siteName.ts) and all below it. */
export interface SiteRule {
  readonly host: string;
  /** Nothing is done for its pages, as if Firstscreen were not installed. */
  readonly isOff: boolean;
  /** Its encrypted connections are never opened by the helper, whatever page asks for them. */
  readonly tunnelOnly: boolean;
  readonly dataSaver: DataSaverRule;
}

/** Hosts for which the data saver is on or off, whatever it is in general; sorted by name. */
export interface DataSaverHosts {
  readonly on: readonly string[];
  readonly off: readonly string[];
}

/** The site of a page, and whether it is off. */
export interface PageSite {
  /** Whose rule it is, where it is off; else the page's own. */
  readonly host: string;
  readonly isOff: boolean;
}

/** Which way requests go, as far as decisions for sites say. */
export type SiteHosts = Pick<Sites, 'offHosts' | 'tunnelOnlyHosts'>;

export function haveSameHosts(one: SiteHosts, other: SiteHosts): boolean {
  return one.offHosts.join() === other.offHosts.join() && one.tunnelOnlyHosts.join() === other.tunnelOnlyHosts.join();
}

const RULE_ENTRIES = { host: v.pipe(v.string(), v.check((host) => siteOfHost(host) === host)), isOff: v.boolean(), tunnelOnly: v.boolean() };

function listOf<Rule extends v.GenericSchema>(rule: Rule) {
  return v.pipe(v.array(rule), v.maxLength(MAX_SITES));
}

/** As it is stored and exported. */
const SitesSchema = v.variant('version', [
  v.strictObject({ version: v.literal(1), sites: listOf(v.strictObject(RULE_ENTRIES)) }),
  v.strictObject({ version: v.literal(VERSION), sites: listOf(v.strictObject({ ...RULE_ENTRIES, dataSaver: v.picklist(DATA_SAVER) })) }),
]);

interface StoredSites {
  readonly version: typeof VERSION;
  readonly sites: readonly SiteRule[];
}

/** The list of sites for which a person has decided something; never changed, but replaced by another one. */
export class Sites {
  static readonly NONE = new Sites([]);
  private readonly byHost: ReadonlyMap<string, SiteRule>;
  private readonly off: HostTable;
  private readonly dataSaver: HostTable;
  /** Sorted by name. */
  readonly rules: readonly SiteRule[];
  /** Sorted by name. */
  readonly offHosts: readonly string[];
  /** Of what is off nothing is to be opened either: in Chromium other pages can still ask for it. Sorted by name. */
  readonly tunnelOnlyHosts: readonly string[];
  readonly dataSaverHosts: DataSaverHosts;

  /** @param rules of several for one host the last counts; at most MAX_SITES, or E_SITES_FULL is thrown */
  private constructor(rules: Iterable<SiteRule>) {
    this.byHost = new Map([...rules].map((rule) => [rule.host, rule]));
    if (this.byHost.size > MAX_SITES) throw new FirstscreenError('E_SITES_FULL', `A list of ${this.byHost.size} sites is over the limit of ${MAX_SITES}; nothing was changed.`, 'Remove sites that you do not need any more, then do it again.');
    this.rules = [...this.byHost.values()].sort((a, b) => (a.host < b.host ? -1 : 1));
    this.offHosts = this.rules.filter(({ isOff }) => isOff).map(({ host }) => host);
    this.tunnelOnlyHosts = this.rules.filter(({ isOff, tunnelOnly }) => isOff || tunnelOnly).map(({ host }) => host);
    this.off = tableOf(this.offHosts);
    const savingAs = (rule: DataSaverRule): string[] => this.rules.filter(({ dataSaver }) => dataSaver === rule).map(({ host }) => host);
    this.dataSaverHosts = { on: savingAs('on'), off: savingAs('off') };
    this.dataSaver = { ...tableOf(this.dataSaverHosts.off, false), ...tableOf(this.dataSaverHosts.on) };
  }

  /** @throws FirstscreenError E_SITES_VERSION, E_SITES_FULL, E_SITES_FILE when this is no list of sites */
  static parse(stored: unknown): Sites {
    const { success, output, issues } = v.safeParse(SitesSchema, stored, { abortEarly: true });
    if (success) return new Sites(output.sites.map((rule): SiteRule => ({ ...rule, dataSaver: 'dataSaver' in rule ? rule.dataSaver : 'inherit' })));
    const place = issues[0].path?.map(({ key }) => String(key)) ?? [];
    if (place[0] === 'version' && v.is(v.object({ version: v.number() }), stored)) throw new FirstscreenError('E_SITES_VERSION', 'The list of sites is of another version of Firstscreen.', 'Export it again with this version, or update Firstscreen.');
    if (place.join() === 'sites' && issues[0].type === 'max_length') throw new FirstscreenError('E_SITES_FULL', `The list has more than ${MAX_SITES} sites; nothing was changed.`, 'Take some out of the file, then import it again.');
    throw new FirstscreenError('E_SITES_FILE', 'This is no list of sites of Firstscreen; nothing was changed.', 'Choose a file that was exported from the options page.');
  }

  /**
   * Reads an exported file.
   *
   * @throws FirstscreenError as `parse` does
   */
  static parseFile(text: string): Sites {
    let stored: unknown;
    try {
      stored = JSON.parse(text);
    } catch (cause) {
      throw new FirstscreenError('E_SITES_FILE', 'The file holds no JSON, so it is no list of sites; nothing was changed.', 'Choose a file that was exported from the options page.', { cause });
    }
    return Sites.parse(stored);
  }

  /** For `parse`. */
  get stored(): StoredSites {
    return { version: VERSION, sites: [...this.rules] };
  }

  /** For `parseFile`. */
  get file(): string {
    return `${JSON.stringify(this.stored, null, 2)}\n`;
  }

  /**
   * Whether Firstscreen is off for a page: of one that may be of any site, while any site is off.
   *
   * @param url its address; null for a page that is not known; one that is none of the web (about:blank) may be written by any page
   */
  isOff(url: string | null): boolean {
    return this.offHosts.length > 0 && this.pageSite(url ?? '')?.isOff !== false;
  }

  /**
   * Whether images of a page are fetched only when somebody comes near them: the nearest host that says something counts.
   *
   * @param url its address; null for a page that is not known, for which no site may say otherwise
   * @param inGeneral the setting
   */
  savesData(url: string | null, inGeneral: boolean): boolean {
    if (url === null) return inGeneral && this.dataSaverHosts.off.length === 0;
    const host = siteOfUrl(url);
    const over = host === null ? null : coveringHost(host, this.dataSaver);
    return host !== null && (over === null ? inGeneral : this.dataSaver[over] === true);
  }

  /** Whether that is so for any page. */
  savesAnywhere(inGeneral: boolean): boolean {
    return inGeneral || this.dataSaverHosts.on.length > 0;
  }

  /** @returns null for a page that is not of the web */
  pageSite(url: string): PageSite | null {
    const host = siteOfUrl(url);
    if (host === null) return null;
    const over = coveringHost(host, this.off);
    return { host: over ?? host, isOff: over !== null };
  }

  /** The host's own, whatever is above it; one that says nothing where it has none. */
  rule(host: string): SiteRule {
    return this.byHost.get(host) ?? { host, isOff: false, tunnelOnly: false, dataSaver: 'inherit' };
  }

  /** With this rule, in the place of the host's own if there is one. @throws FirstscreenError E_SITES_FULL */
  with(rule: SiteRule): Sites {
    return new Sites([...this.rules, rule]);
  }

  without(host: string): Sites {
    return new Sites(this.rules.filter((rule) => rule.host !== host));
  }

  /** Off or on for a host, whoever's rule it was; a rule that says nothing any more goes. @throws FirstscreenError E_SITES_FULL */
  switched(host: string, isOff: boolean): Sites {
    if (isOff) return this.with({ ...this.rule(host), isOff });
    return new Sites(this.rules.flatMap((rule) => (coveringHost(host, { [rule.host]: true }) === null ? [rule] : rule.tunnelOnly || rule.dataSaver !== 'inherit' ? [{ ...rule, isOff }] : [])));
  }

  /** With those of another list; where both have a host the other's rule counts. @throws FirstscreenError E_SITES_FULL */
  merged(other: Sites): Sites {
    return new Sites([...this.rules, ...other.rules]);
  }
}

function tableOf(hosts: readonly string[], value = true): HostTable {
  return Object.fromEntries(hosts.map((host) => [host, value]));
}
