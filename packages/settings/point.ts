import { contributionPoint, didYouMean, id, shaped, text } from '@pergola/core';
import { groups } from '@pergola/orm';
import { z } from 'zod';
import type { Setting } from './define.ts';

declare module '@pergola/core/contributions' {
  interface Contributions {
    /** Values that administrators change: `setting(…)`. */
    // biome-ignore lint/suspicious/noExplicitAny: settings of any type
    settings: readonly Setting<any>[];
  }
}

/** Settings, each with its addon. */
export const settings = contributionPoint('settings', {
  shape: z.array(shaped('a setting', '`setting(…)`', { kind: z.literal('setting'), name: id, label: text })),
  names: { what: 'setting', of: (list) => list.map(({ name }) => name) },
  needs: { groups },
  build({ contributions, needs, report }) {
    for (const { addon, value } of contributions) {
      for (const { name, groups: group, schema, fallback } of value) {
        if (group !== undefined && !needs.groups.has(group)) {
          const message = `setting "${name}" is for the group "${group}", which is not there.`;
          report({ addon: addon.name, message, remedy: didYouMean(group, needs.groups.keys()) || undefined });
        }
        const { error } = schema.safeParse(fallback);
        if (error) {
          const reason = error.issues.map(({ message }) => message).join('; ');
          report({
            addon: addon.name,
            message: `setting "${name}" has a default that its own schema refuses: ${reason}.`,
          });
        }
      }
    }
    return contributions.flatMap(({ addon, value }) =>
      value.map((setting: Setting<unknown>) => ({ addon: addon.name, setting })),
    );
  },
});
