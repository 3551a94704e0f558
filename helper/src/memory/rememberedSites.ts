import * as v from 'valibot';
import type { PageMemory } from '../../../shared/src/memory/pageMemory.ts';
import { HostSchema, MAX_REMEMBERED_SITES, type HelperMessageOf } from '../../../shared/src/protocol/native.ts';
import { siteOf } from '../../../shared/src/node/foresight/siteOf.ts';

/** Of which sites something is remembered, the last visited first, as many as one message takes. */
export function rememberedSites(memory: PageMemory): HelperMessageOf<'rememberedSites'>['payload'] {
  const all = memory.sites(siteOfKey);
  const sites = all.slice(0, MAX_REMEMBERED_SITES);
  return { sites, more: all.length - sites.length };
}

/** By which `forget` finds it. Anybody may have written the file: what no message could name is not told. */
function siteOfKey(key: string): string | null {
  const site = URL.canParse(key) ? siteOf(key) : null;
  return v.is(HostSchema, site) ? site : null;
}
