import { type Ctx, data, ref } from 'pergola';
import type { Declared } from 'pergola/kernel';
import type { DataSet } from 'pergola/orm';
import { Group } from './models/group.ts';
import { t } from './texts.ts';

/** Groups as records, so that users can be put into them, named in every language; those of disabled addons stay, with their members. */
export async function reflectGroups(ctx: Ctx, { groups, languages }: Declared): Promise<readonly DataSet[]> {
  const inLanguages = languages.map((lang) => ctx.as({ lang }));
  const named = (text: string) => Object.fromEntries(inLanguages.map((one) => [one.lang, t(one, text)]));
  const records = groups.map(({ id, label, category, implies }) => [
    id,
    {
      code: id,
      name: named(label),
      category: category ? named(category) : null,
      implied_ids: implies.map((implied) => ref(implied)),
    },
  ]);
  return [data(Group, Object.fromEntries(records))];
}
