import { contributionPoint, type FieldsOf, type ModelRef, z } from '#core';
import { declaredHere, shaped, text } from '#core/kernel';
import { models } from '#core/orm';
import { checkViews } from './check-views.ts';
import { publicMethods } from './public-methods.ts';

/** How the backend shows a model's records. Checked against the model's fields when a generation is built. */
export interface ViewDefinition {
  readonly model: string;
  readonly type: 'list' | 'form' | 'kanban' | 'calendar' | 'search';
  readonly spec: Readonly<Record<string, unknown>>;
}

type Name<I> = keyof FieldsOf<I> & string;
export interface Column<N> {
  readonly field: N;
  readonly label?: string;
  /** Hidden until the user chooses it. */
  readonly optional?: boolean;
  readonly total?: 'sum' | 'avg';
  readonly widget?: string;
}
export interface ViewButton {
  /** A declared public method of the model. */
  readonly method: string;
  readonly label: string;
  /** Shown only for records that match. */
  readonly when?: readonly unknown[];
  readonly confirm?: string;
  readonly primary?: boolean;
  /** Whether it sends mail: where there is no mail server, whoever pressed it learns that the mail is in the outbox. */
  readonly mails?: boolean;
  /** Whoever is in none of these groups does not see it; the method has its own rights. */
  readonly groups?: readonly string[];
}
export interface FormItem<N> {
  readonly field: N;
  readonly label?: string;
  /** How it is shown and changed, where that does not follow from the field: `language`, `timezone`. Names no screen knows are passed over. */
  readonly widget?: string;
  readonly when?: readonly unknown[];
  readonly readonlyWhen?: readonly unknown[];
  /** Columns of an x2many table. */
  readonly columns?: readonly string[];
  readonly wide?: boolean;
}
export interface FormSection<N> {
  readonly label?: string;
  readonly items: readonly (N | FormItem<N>)[];
}

/** What a view of another addon's model may say: it comes after what that addon's view has, instead of in its place. */
interface Addition {
  readonly adds?: boolean;
}

/**
 * Views of models for the backend; each refines what is made from the fields alone. Of several views of one kind the last addon's holds; lists,
 * forms, cards and searches with `adds: true` are put behind those before them (columns, sections, tabs, buttons, lines, filters).
 *
 * ```ts
 * views: [view.list(Order, { columns: ['name', 'partner_id', 'amount_total'] }), view.form(Order, { sections: [{ items: ['partner_id'] }] })]
 * ```
 */
export const view = {
  list: <I>(
    model: ModelRef<I>,
    spec: { columns: readonly (Name<I> | Column<Name<I>>)[]; order?: string; editable?: boolean } & Addition,
  ): ViewDefinition => define(model, 'list', spec),
  form: <I>(
    model: ModelRef<I>,
    spec: {
      title?: Name<I>;
      image?: Name<I>;
      status?: Name<I>;
      buttons?: readonly ViewButton[];
      sections?: readonly FormSection<Name<I>>[];
      tabs?: readonly { label: string; sections: readonly FormSection<Name<I>>[] }[];
    } & Addition,
  ): ViewDefinition => define(model, 'form', spec),
  kanban: <I>(
    model: ModelRef<I>,
    spec:
      | { title: Name<I>; image?: Name<I>; lines?: readonly Name<I>[]; groupBy?: Name<I> }
      | { adds: true; lines: readonly Name<I>[] },
  ): ViewDefinition => define(model, 'kanban', spec),
  calendar: <I>(
    model: ModelRef<I>,
    /** `allDay`: the switch that says that only the days count; a field `allday` is one by itself. */
    spec: { title: Name<I>; start: Name<I>; end?: Name<I>; allDay?: Name<I>; color?: Name<I> },
  ): ViewDefinition => define(model, 'calendar', spec),
  search: <I>(
    model: ModelRef<I>,
    spec: {
      fields?: readonly Name<I>[];
      filters?: readonly { id: string; label: string; domain: readonly unknown[] }[];
      groups?: readonly { id: string; label: string; by: string }[];
    } & Addition,
  ): ViewDefinition => define(model, 'search', spec),
};

function define(model: ModelRef, type: ViewDefinition['type'], spec: object): ViewDefinition {
  const made = { model: model.modelName, type, spec: spec as Readonly<Record<string, unknown>> };
  return Object.freeze(declaredHere(made, view[type]));
}

declare module '#core' {
  interface Contributions {
    views: readonly ViewDefinition[];
  }
}

/** Lists, forms and searches of the backend. */
export const views = contributionPoint('views', {
  shape: z.array(
    shaped('a view', '`view.list`, `view.form`, …', {
      model: text,
      type: z.enum(['list', 'form', 'kanban', 'calendar', 'search']),
      spec: z.looseObject({}),
    }),
  ),
  needs: { models, publicMethods },
  build({ contributions, needs, report }) {
    checkViews(contributions, needs.models, needs.publicMethods).forEach(report);
    return contributions.flatMap(({ addon, value }) => value.map((view) => ({ ...view, addon: addon.name })));
  },
});
