import { z } from 'zod';
import { contributionPoint, id, shaped, text } from '../kernel/index.ts';
import { checkTemplate, templates } from '../page/index.ts';
import type { MailDefinition } from './define.ts';

declare module '../kernel/point.ts' {
  interface Contributions {
    /** Mails that the addon sends: `mail(…)`. */
    // biome-ignore lint/suspicious/noExplicitAny: mails of any values
    mails: readonly MailDefinition<any>[];
  }
}

/** Mails that addons send. */
export const mails = contributionPoint('mails', {
  shape: z.array(shaped('a mail', '`mail(…)`', { kind: z.literal('mail'), name: id, subject: text, template: text })),
  names: { what: 'mail', of: (list) => list.map(({ name }) => name) },
  needs: { templates },
  build({ contributions, needs, report }) {
    const known = new Set(needs.templates.ids);
    for (const { addon, value } of contributions) {
      for (const { name, template } of value) {
        checkTemplate(addon.name, `mail "${name}"`, template, known).forEach(report);
      }
    }
    return contributions.flatMap(({ value }): readonly MailDefinition[] => value);
  },
});
