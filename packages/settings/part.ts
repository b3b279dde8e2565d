import { definePart, value } from '@pergola/core';
import { database, dbPart } from '@pergola/db';
import { ormPart } from '@pergola/orm';
import type { Setting } from './define.ts';
import { settings } from './point.ts';
import { partSettings, SettingStore, settingTables } from './store.ts';

const settingStore = value<SettingStore>('setting store');

/** Values chosen by administrators. */
export const settingsPart = definePart({
  name: 'settings',
  needs: [dbPart, ormPart],
  points: [settings],
  tables: settingTables,
  provide: ({ parts, get, set }) => {
    set(settingStore, new SettingStore(get(database)));
    set(
      partSettings,
      parts.flatMap((part) => part.settings ?? []),
    );
  },
  context: {
    settings: (ctx) => ({
      get: (setting) => ctx.get(settingStore).get(ctx, setting),
      set: (setting, newValue) => ctx.get(settingStore).set(ctx, setting, newValue),
    }),
  },
});

declare module '@pergola/core/part' {
  interface PartOptions {
    /** Settings of the part itself, edited on an addon's screen. */
    // biome-ignore lint/suspicious/noExplicitAny: settings of any type
    readonly settings?: readonly Setting<any>[];
  }
}
