import type { Ctx } from 'pergola';
import { boundOf, type FieldType, models } from 'pergola/orm';
import { ownText } from 'pergola/pages';
import { publicMethods } from '../../points/public-methods.ts';
import { type ViewDefinition, views } from '../../points/views.ts';
import { mayUseModel } from '../admin/access.ts';
import { fieldsGet } from '../rpc/fields-get.ts';

/** A field as screens need to know it: what `fields_get` answers Odoo's clients, and more. */
export type FieldDescription = Readonly<Record<string, unknown>> & {
  /** Our own type: `decimal`, `money` and `image` have other names in Odoo. */
  readonly kind: FieldType;
  /** Who brought it. */
  readonly addon: string;
};

/** A model as whoever asks may know it. */
export interface ModelDescription {
  readonly name: string;
  /** Translated. */
  readonly label: string;
  readonly addon: string;
  readonly nameField: string | null;
  /** Has a switch `active` that archives. */
  readonly archives: boolean;
  readonly appendOnly: boolean;
  /** Whether `['id', 'matches', text]` finds records by their words. */
  readonly fullText: boolean;
  /** As `find` takes it. */
  readonly order: string;
  readonly mixins: readonly string[];
  /** What the access lists allow; rules say with which records. */
  readonly may: { readonly read: boolean; readonly write: boolean; readonly create: boolean; readonly unlink: boolean };
  /** Those that may be read. */
  readonly fields: Readonly<Record<string, FieldDescription>>;
  /** Methods that addons declared public. */
  readonly methods: readonly { readonly name: string; readonly onRecords: boolean; readonly mails: boolean }[];
  /** As declared, in the order of the addons. */
  readonly views: readonly (ViewDefinition & { readonly addon: string })[];
}

/** What the user may know of a model; null when there is none, or none that concerns the user. */
export function describeModel(ctx: Ctx, name: string): ModelDescription | null {
  const compiled = ctx.get(models).get(name);
  if (!compiled) return null;
  const may = {
    read: mayUseModel(ctx, name, 'read'),
    write: mayUseModel(ctx, name, 'write'),
    create: mayUseModel(ctx, name, 'create'),
    unlink: mayUseModel(ctx, name, 'unlink'),
  };
  if (!Object.values(may).includes(true)) return null;
  const bound = boundOf(ctx.modelNamed(name));
  const fields = Object.entries(fieldsGet(bound, null, null)).flatMap(([field, about]) => {
    const own = compiled.fields.get(field);
    if (!own) return [];
    const { min, max, maxBytes, tracked, filled } = own.options;
    return [[field, { ...about, kind: own.type, addon: own.addon, min, max, maxBytes, tracked, filled }] as const];
  });
  return {
    name,
    label: ownText(ctx, compiled.addon, compiled.label),
    addon: compiled.addon,
    nameField: compiled.nameField?.name ?? null,
    archives: compiled.activeField,
    appendOnly: compiled.options.appendOnly === true,
    fullText: compiled.search !== null,
    order: compiled.order.map(({ path, descending }) => `${path.join('.')}${descending ? ' desc' : ''}`).join(', '),
    mixins: [...compiled.mixins],
    may,
    fields: Object.fromEntries(fields),
    methods: ctx
      .get(publicMethods)
      .filter(({ model }) => model === name)
      .map(({ method, onRecords, mails }) => ({ name: method, onRecords, mails })),
    views: ctx.get(views).filter(({ model }) => model === name),
  };
}
