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
  const entries = new WeakMap<Generation, SiteEntry>();
  return (generation) => {
    const existing = entries.get(generation);
    if (existing) return existing;
    const site = new Site(application, generation);
    const entry = { site, locator: createLocator(site) };
    entries.set(generation, entry);
    return entry;
  };
}
