import type { Ctx } from 'pergola';
import { boundOf, type FieldType, models } from 'pergola/orm';
import { ownText } from 'pergola/pages';
import { publicMethods } from '../../points/public-methods.ts';
import { type ViewDefinition, views } from '../../points/views.ts';
import { mayUseModel } from '../admin/access.ts';
import { fieldsGet } from '../rpc/fields-get.ts';

/** A field's definition for screens: Odoo's `fields_get`, and more. */
export type FieldDescription = Readonly<Record<string, unknown>> & {
  /** Pergola's type, because Odoo has other names for `decimal`, `money` and `image`. */
  readonly kind: FieldType;
  /** Addon that declares it. */
  readonly addon: string;
};

/** Description of a model, limited to what the caller may know. */
export interface ModelDescription {
  readonly name: string;
  /** Translated. */
  readonly label: string;
  readonly addon: string;
  readonly nameField: string | null;
  /** Has a field `active`, so records can be archived. */
  readonly archives: boolean;
  readonly appendOnly: boolean;
  /** Changes can be undone. */
  readonly undoes: boolean;
  /** Whether `['id', 'matches', text]` performs a full-text search. */
  readonly fullText: boolean;
  /** In the format of `find`. */
  readonly order: string;
  readonly mixins: readonly string[];
  /** Operations allowed by access lists; record rules may restrict them to certain records. */
  readonly may: { readonly read: boolean; readonly write: boolean; readonly create: boolean; readonly unlink: boolean };
  /** Readable fields. */
  readonly fields: Readonly<Record<string, FieldDescription>>;
  /** Methods declared public by addons. */
  readonly methods: readonly { readonly name: string; readonly onRecords: boolean; readonly mails: boolean }[];
  /** As declared, in the order of the addons. */
  readonly views: readonly (ViewDefinition & { readonly addon: string })[];
}

/** Returns the description of a model for the user, or null if it doesn't exist or the user has no access. */
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
  const fields = Object.entries(fieldsGet(bound, null, null)).flatMap(([field, wireField]) => {
    const compiledField = compiled.fields.get(field);
    if (!compiledField) return [];
    const { min, max, maxBytes, tracked, filled } = compiledField.options;
    return [
      [
        field,
        { ...wireField, kind: compiledField.type, addon: compiledField.addon, min, max, maxBytes, tracked, filled },
      ] as const,
    ];
  });
  return {
    name,
    label: ownText(ctx, compiled.addon, compiled.label),
    addon: compiled.addon,
    nameField: compiled.nameField?.name ?? null,
    archives: compiled.activeField,
    appendOnly: compiled.options.appendOnly === true,
    undoes: !compiled.volatile && compiled.options.undo !== false && compiled.options.irreversible === undefined,
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
