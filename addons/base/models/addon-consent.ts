import { f, type Id, type Ids, model } from 'pergola';
import type { Capability } from 'pergola/kernel';
import { t } from '../texts.ts';

/** Consent to the capabilities of an external app's code, stored when it was enabled or upgraded. */
export class AddonConsent extends model(
  'ir.module.consent',
  {
    addon: f.char({ label: 'App' }),
    version: f.char({ label: 'Version' }),
    consented_by: f.char({ label: 'Allowed by' }),
    consented_at: f.datetime({ label: 'Date' }),
    summary: f.text({ compute: 'computeSummary', depends: ['added', 'removed'], label: 'What its code can do' }),
    added: f.json({ label: 'New capabilities' }),
    removed: f.json({ label: 'Removed capabilities' }),
    capabilities: f.json({ label: 'All capabilities' }),
    digest: f.char({ label: 'Digest of the code' }),
  },
  { table: 'core_addon_consent', coreTable: true, order: 'id desc', nameField: 'addon', label: 'Allowed code' },
) {
  /** New capabilities of medium or high risk, and removed ones. */
  async computeSummary(ids: Ids): Promise<Map<Id, string>> {
    const texts = (value: unknown): string[] =>
      (value as readonly Capability[]).flatMap(({ risk, what }) =>
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
