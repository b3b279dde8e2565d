import { Language } from '@pergola/base';
import type { Ctx, Id } from 'pergola';
import { type AnyModel, type CompiledField, type CompiledModel, models } from 'pergola/orm';
import { t } from '../../texts.ts';
import { uncheckedSelect } from '../values.ts';
import { needlesFor } from './addresses.ts';

/** Record whose text shows an image or links to a file. */
export interface Use {
  readonly model: string;
  readonly id: Id;
  readonly name: string;
  /** URL of its page, or empty. */
  readonly website_url: string;
}

/** Field that can contain URLs of images and files. */
interface Place {
  readonly model: CompiledModel;
  readonly field: string;
  readonly translated: boolean;
}

/**
 * Finds the records that use attachments: searches all rich-text fields of all models in every language, and fields with image URLs.
 * Records hidden from the caller count, but without their name.
 */
export async function findUses(ctx: Ctx, ids: readonly Id[]): Promise<Map<Id, Use[]>> {
  const uses = new Map<Id, Map<string, Use>>(ids.map((id) => [id, new Map()]));
  if (ids.length === 0) return new Map();
  const needles = ids.flatMap((id) => needlesFor(id).map((needle) => ({ id, needle })));
  const languages = await ctx.model(Language).find([], { select: { code: true } });
  for (const place of places(ctx)) {
    for (const lang of place.translated ? languages.map(({ code }) => code) : [ctx.lang]) {
      for (const { record, text } of await textsWith(ctx.as({ lang }), place, needles)) {
        for (const { id, needle } of needles) {
          if (text.includes(needle))
            uses.get(id)?.set(`${place.model.name} ${record}`, await describe(ctx, place, record));
        }
      }
    }
  }
  return new Map([...uses].map(([id, recordUses]) => [id, [...recordUses.values()]]));
}

function places(ctx: Ctx): Place[] {
  return [...ctx.get(models).models.values()].flatMap((model) =>
    [...model.fields.values()]
      .filter((field) => field.stored && model.name !== 'ir.attachment' && holdsAddresses(field))
      .map(({ name, translated }) => ({ model, field: name, translated })),
  );
}

function holdsAddresses({ name, type }: CompiledField): boolean {
  return type === 'html' || (type === 'char' && /(^|_)(img|image|picture|url)$/.test(name));
}

async function textsWith(
  ctx: Ctx,
  { model, field }: Place,
  needles: readonly { readonly needle: string }[],
): Promise<{ record: Id; text: string }[]> {
  // Files used in records hidden from the caller must be kept, too.
  const bound = ctx.sudo().modelNamed(model.name);
  const conditions = [...Array(needles.length - 1).fill('|'), ...needles.map(({ needle }) => [field, 'like', needle])];
  const archived = model.activeField ? ['|', ['active', '=', true], ['active', '=', false]] : [];
  const rows = await bound.find(looseDomain([...archived, ...conditions]), {
    select: uncheckedSelect({ [field]: true }),
  });
  return rows.map((row) => ({ record: row.id, text: String((row as Readonly<Record<string, unknown>>)[field] ?? '') }));
}

function looseDomain(domain: readonly unknown[]): Parameters<AnyModel['find']>[0] {
  return domain as Parameters<AnyModel['find']>[0];
}

async function describe(ctx: Ctx, { model }: Place, id: Id): Promise<Use> {
  const hidden: Use = { model: model.name, id, name: t(ctx, 'An item you don’t have access to'), website_url: '' };
  try {
    const select = {
      display_name: true,
      ...(model.fields.get('website_published')?.stored ? { website_url: true } : {}),
    };
    const [row] = await ctx.modelNamed(model.name).read([id], { select: uncheckedSelect(select) });
    if (!row) return hidden;
    const { display_name: name, website_url: url } = row as Readonly<Record<string, unknown>>;
    return {
      model: model.name,
      id,
      name: String(name ?? id),
      website_url: typeof url === 'string' && url !== '#' ? url : '',
    };
  } catch {
    // No access to the model at all.
    return hidden;
  }
}
