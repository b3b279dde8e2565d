import {
  type Ctx,
  contexts,
  contextTools,
  definePart,
  type Generation,
  type GenerationRecord,
  generations,
  type PartHost,
  values,
} from '@pergola/core';
import { database, dbPart, sessionOn } from '@pergola/db';
import { LiveValue } from '@pergola/page-cache';
import { Days } from './days.ts';
import { createFormats } from './format.ts';
import { likelyLanguages } from './likely-languages.ts';
import { readImportedCatalogs, tables } from './own-catalogs.ts';
import { catalogs, DEFAULT_ZONE, siteLanguages, siteTimezone, siteZoneOf } from './point.ts';
import { days, formats, ownCatalogs, siteZones } from './values.ts';

/** Texts, formats and time zones. */
export const textsPart = definePart({
  name: 'texts',
  needs: [dbPart],
  points: [catalogs, siteLanguages, siteTimezone],
  tables,
  provide(host) {
    const { get, set } = host;
    set(formats, createFormats());
    set(ownCatalogs, () => readImportedCatalogs(get(database), get(database).reader));
    set(days, new Map());
    set(siteZones, new WeakMap());
  },
  record: async (host, { previous, addons }) =>
    (previous && (await currentLanguages(host))) ?? previous ?? likelyLanguages(addons),
  generation: (_host, { record }) => ({ [values.languages.name]: languagesOf(record) }),
  /** Uses the site's zone for work without a request. */
  async complete(host, { generation, tracker, timezone, siteTimezone: requestZone }) {
    const zone = requestZone ?? (await siteZone(host, generation).get(tracker));
    return { siteTimezone: zone, timezone: timezone ?? zone };
  },
  context: {
    today: (ctx) => (timezone) => today(ctx, timezone),
  },
});

/** Languages of a generation, the default one first. */
export function languagesOf({ data }: GenerationRecord): readonly string[] {
  return data.texts as readonly string[];
}

/** Returns the languages stored by the addon that provides them; null before the first generation. */
async function currentLanguages({ get }: PartHost): Promise<readonly string[] | null> {
  if (!get(generations).ready) return null;
  const { generation, release } = get(generations).acquire();
  const { reader } = get(database);
  const { ctx, dispose } = get(contexts).systemContext(generation, sessionOn(get(database), reader));
  try {
    return (await generation.get(siteLanguages).at(-1)?.(ctx)) ?? null;
  } finally {
    await dispose();
    release();
  }
}

function today(ctx: Ctx, timezone: string = ctx.timezone): string {
  const zones = ctx.get(days);
  const zone = zones.get(timezone) ?? new Days(timezone);
  zones.set(timezone, zone);
  const { text, until } = zone.at(ctx.now().getTime());
  ctx.get(contextTools).tracker?.until(new Date(until));
  return text;
}

function siteZone({ get }: PartHost, generation: Generation): LiveValue<string> {
  const existing = get(siteZones).get(generation);
  if (existing) return existing;
  const zone = new LiveValue(get(database).changes, (tracker) => {
    const options = get(contexts).systemOptions(generation);
    return get(contexts).read({ ...options, timezone: DEFAULT_ZONE, siteTimezone: DEFAULT_ZONE, tracker }, siteZoneOf);
  });
  get(siteZones).set(generation, zone);
  return zone;
}

declare module '@pergola/core/context' {
  interface Ctx {
    /**
     * Returns the current day in the context's zone (or another), `"2026-11-21"`; cached pages that use it are rendered again at midnight
     * there.
     */
    today(timezone?: string): string;
  }
}
