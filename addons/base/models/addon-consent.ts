import { f, type Id, type Ids, model } from 'pergola';
import type { CodePower } from 'pergola/kernel';
import { t } from '../texts.ts';

/** An agreement to what the code of an app from elsewhere can do, stored when it was enabled or upgraded. */
export class AddonConsent extends model(
  'ir.module.consent',
  {
    addon: f.char({ label: 'App' }),
    version: f.char({ label: 'Version' }),
    agreed_by: f.char({ label: 'Allowed by' }),
    agreed_at: f.datetime({ label: 'Date' }),
    abilities: f.text({ compute: 'computeAbilities', depends: ['added', 'removed'], label: 'What its code can do' }),
    added: f.json({ label: 'New abilities' }),
    removed: f.json({ label: 'Abilities that no longer exist' }),
    powers: f.json({ label: 'All abilities' }),
    digest: f.char({ label: 'Digest of the code' }),
  },
  { table: 'core_addon_consent', coreTable: true, order: 'id desc', nameField: 'addon', label: 'Allowed code' },
) {
  /** What is new, without the usual, and what the code no longer does. */
  async computeAbilities(ids: Ids): Promise<Map<Id, string>> {
    const texts = (value: unknown): string[] =>
      (value as readonly CodePower[]).flatMap(({ risk, what }) =>
        risk === 'low' ? [] : [t(this.ctx, what.text, what.params)],
      );
    const rows = await this.read(ids, { select: { added: true, removed: true } });
    return new Map(
      rows.map(({ id, added, removed }) => {
        const lost = texts(removed).map((text) => t(this.ctx, 'No longer: {text}', { text }));
        return [id, [...texts(added), ...lost].join('\n')];
      }),
    );
  }
}

declare module 'pergola' {
  interface Models {
    'ir.module.consent': AddonConsent;
  }
}
