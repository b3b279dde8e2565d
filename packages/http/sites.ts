import type { Generation } from '@pergola/core';
import type { PageLocator } from '@pergola/page-cache';
import { createLocator } from './pages/locator.ts';
import { Site } from './site.ts';
import type { HttpApplication } from './types.ts';

export interface SiteEntry {
  readonly site: Site;
  readonly locator: PageLocator;
}

/** Sites of generations, created with their first request and disposed with them. */
export function createSites(application: HttpApplication): (generation: Generation) => SiteEntry {
  const made = new WeakMap<Generation, SiteEntry>();
  return (generation) => {
    const known = made.get(generation);
    if (known) return known;
    const site = new Site(application, generation);
    const entry = { site, locator: createLocator(site) };
    made.set(generation, entry);
    return entry;
  };
}
