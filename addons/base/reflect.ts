import { type Ctx, data, ref } from 'pergola';
import type { Declared } from 'pergola/kernel';
import type { DataSet } from 'pergola/orm';
import { Group } from './models/group.ts';
import { t } from './texts.ts';

/**
 * Mirrors groups as records with translated names, so users can be assigned to them. Groups of disabled addons stay, with their members.
 */
export async function reflectGroups(ctx: Ctx, { groups, languages }: Declared): Promise<readonly DataSet[]> {
  const inLanguages = languages.map((lang) => ctx.as({ lang }));
  const translations = (text: string) =>
    Object.fromEntries(inLanguages.map((ctxInLang) => [ctxInLang.lang, t(ctxInLang, text)]));
  const records = groups.map(({ id, label, category, implies }) => [
    id,
    {
      code: id,
      name: translations(label),
      category: category ? translations(category) : null,
      implied_ids: implies.map((implied) => ref(implied)),
    },
  ]);
  return [data(Group, Object.fromEntries(records))];
}
