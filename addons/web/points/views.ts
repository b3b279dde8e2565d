import { contributionPoint, type FieldsOf, type ModelRef, z } from 'pergola';
import { declaredHere, shaped, text } from 'pergola/kernel';
import { groups, models } from 'pergola/orm';
import type { ChangeReview } from '../backend/types.ts';
import { checkViews } from './check-views.ts';
import type { FieldWidget } from './field-widgets.ts';
import { menus } from './menus.ts';
import { publicMethods } from './public-methods.ts';

const types = ['list', 'form', 'kanban', 'calendar', 'graph', 'pivot', 'search'] as const;

/** View of a model's records in the backend. Checked against the model's fields when a generation is built. */
export interface ViewDefinition {
  readonly model: string;
  readonly type: (typeof types)[number];
  readonly spec: Readonly<Record<string, unknown>>;
}

export type { ChangeReview };

type Name<I> = keyof FieldsOf<I> & string;
/** A list column with options. */
export interface Column<N> {
  readonly field: N;
  readonly label?: string;
  /** Hidden until the user chooses it. */
  readonly optional?: boolean;
  readonly total?: 'sum' | 'avg';
  readonly widget?: FieldWidget;
}
/** A button above a form: calls a method of the record, creates a record that refers to it, or proposes changes. */
export type ViewButton = ViewButtonBase &
  (
    | {
        /** A declared public method of the model. */
        readonly method: string;
      }
    | {
        /**
         * Opens a dialog for a new record of another model whose many2one `by` refers to this one. Visible to users who may create such
         * records. The values of the fields in `along` are copied from this record.
         */
        readonly opens: { readonly model: string; readonly by: string; readonly along?: readonly string[] };
      }
    | {
        /**
         * Two declared public methods: `changes` returns a {@link ChangeReview} without changing anything, `apply` makes the selected
         * changes. Called with `{ selected }` and `{ version, selected }`.
         */
        readonly reviews: { readonly changes: string; readonly apply: string };
      }
  );
interface ViewButtonBase {
  readonly label: string;
  /** Shown only for records that match. */
  readonly when?: readonly unknown[];
  readonly confirm?: string;
  readonly primary?: boolean;
  /** Also offered for the selected records in lists. */
  readonly bulk?: boolean;
  /**
   * Whether saving the record that it `opens` sends email; without a mail server, users learn that it is held. For methods, see
   * `publicMethod`.
   */
  readonly mails?: boolean;
  /** Visible to these groups only. The method checks its own rights. */
  readonly groups?: readonly string[];
}
/** Number of related records of another model, or the total of one of their fields, linked to their list. */
export interface ViewCount {
  readonly label: string;
  /** Name of a Bootstrap icon. */
  readonly icon: string;
  /** Model of the counted records … */
  readonly model: string;
  /** … and their field that refers to this one; may be a path: `product_id.product_tmpl_id`. */
  readonly by: string;
  /** Limits the counted records. */
  readonly domain?: readonly unknown[];
  /** Field to total instead of counting records. */
  readonly sum?: string;
  /** Menu whose list it opens. Only records in that list are counted. */
  readonly menu?: string;
}
/** A document of a record, such as a printable page or a PDF, in its menu. */
export interface ViewDocument<N extends string> {
  readonly label: string;
  /** A path on this site that may contain fields of the record in braces: `/tickets/{id}.pdf`, `{quote_url}/pdf`. */
  readonly url: `/${string}` | `{${N}}${string}`;
  /** Offered only for records that match. */
  readonly when?: readonly unknown[];
}
/** A form field with options. */
export interface FormItem<N> {
  readonly field: N;
  readonly label?: string;
  /** Set if it doesn't follow from the kind of the field. */
  readonly widget?: FieldWidget;
  readonly when?: readonly unknown[];
  /** Columns of an x2many table. */
  readonly columns?: readonly string[];
  readonly wide?: boolean;
}
/** A group of fields. */
export interface FormSection<N> {
  readonly label?: string;
  readonly items: readonly (N | FormItem<N>)[];
  /** Totals of the lines above, aligned right with the last one emphasised. */
  readonly totals?: boolean;
}

/** Options of views for models of other addons. */
interface Addition {
  /** Appends to the views of other addons instead of replacing them. */
  readonly adds?: boolean;
}

/** A table of records. */
export interface ListSpec<N> extends Addition {
  /** Fields in column order. */
  readonly columns: readonly (N | Column<N>)[];
  /** `"date desc, name"`; defaults to the model's order. */
  readonly order?: string;
  /** Whether rows are edited in place. */
  readonly editable?: boolean;
}

/** One record. */
export interface FormSpec<N extends string> extends Addition {
  /** Field shown above all others. */
  readonly title?: N;
  /** Image field next to the title. */
  readonly image?: N;
  /** Selection shown as a status bar. */
  readonly status?: N;
  readonly buttons?: readonly ViewButton[];
  /** Counts of related records. */
  readonly counts?: readonly ViewCount[];
  /** Documents to print or download, in the record's menu. */
  readonly documents?: readonly ViewDocument<N>[];
  /** Groups of fields, side by side if there is room. */
  readonly sections?: readonly FormSection<N>[];
  /** More sections below, in tabs. Tabs with the same name are merged. */
  readonly tabs?: readonly { readonly label: string; readonly sections: readonly FormSection<N>[] }[];
}

/** Cards. */
export interface KanbanSpec<N> {
  readonly title: N;
  readonly image?: N;
  /** Fields below the title. */
  readonly lines?: readonly N[];
  /** One column for each value of this field; cards can be dragged between them. */
  readonly groupBy?: N;
}

/** A calendar. */
export interface CalendarSpec<N> {
  readonly title: N;
  /** A date or datetime field. */
  readonly start: N;
  readonly end?: N;
  /** Boolean field that marks all-day events; defaults to a field named `allday`. */
  readonly allDay?: N;
  /** Records with the same value have the same colour. */
  readonly color?: N;
}

/** A field to group by; dates with their period. */
type GroupName<N extends string> = N | `${N}:${'day' | 'week' | 'month' | 'quarter' | 'year'}`;
/** Aggregate of each group: a number (summed by default) or the number of records. */
type MeasureName<N extends string> = '__count' | N | `${N}:${'sum' | 'avg' | 'min' | 'max' | 'count_distinct'}`;

/** A chart of groups. */
export interface GraphSpec<N extends string> {
  /** Bars by default. */
  readonly chart?: 'bar' | 'line' | 'pie';
  readonly measure: MeasureName<N>;
  /** The first is the axis; the second splits its bars, or adds a line for each value. */
  readonly groupBy: readonly GroupName<N>[];
  /** Stacked by default. */
  readonly stacked?: boolean;
}

/** A pivot table. */
export interface PivotSpec<N extends string> {
  readonly rows: readonly GroupName<N>[];
  readonly columns?: readonly GroupName<N>[];
  readonly measures: readonly MeasureName<N>[];
}

/** Search options of a model. */
export interface SearchSpec<N> extends Addition {
  /** Fields searched for typed words. */
  readonly fields?: readonly N[];
  readonly filters?: readonly { readonly id: string; readonly label: string; readonly domain: readonly unknown[] }[];
  /** `by` is a field, for dates with the period: `date:month`. */
  readonly groups?: readonly { readonly id: string; readonly label: string; readonly by: string }[];
}

/**
 * Backend views of a model, which refine the defaults derived from its fields. Of several views of one kind, the last addon's applies.
 * Lists, forms, cards and searches with `adds: true` are appended to the previous ones (columns, sections, tabs, buttons, lines, filters).
 * To name fields that your addon adds to another addon's model, pass the extension: with the model itself they are a type error, “not
 * assignable to FormItem<Name<Partner>>”.
 *
 * ```ts
 * views: [
 *   view.list(Order, { columns: ['name', 'partner_id', 'amount_total'] }),
 *   view.form(Order, { sections: [{ items: ['partner_id'] }] }),
 * ]
 * ```
 */
export const view = {
  /** A table of records. */
  list: <I>(model: ModelRef<I>, spec: ListSpec<Name<I>>): ViewDefinition => define(model, 'list', spec),
  /** One record. */
  form: <I>(model: ModelRef<I>, spec: FormSpec<Name<I>>): ViewDefinition => define(model, 'form', spec),
  /** Cards, in columns if `groupBy` is set. To extend the cards of another addon: `{ adds: true, lines: […] }`. */
  kanban: <I>(
    model: ModelRef<I>,
    spec: KanbanSpec<Name<I>> | { readonly adds: true; readonly lines: readonly Name<I>[] },
  ): ViewDefinition => define(model, 'kanban', spec),
  /** A calendar by day, week and month. */
  calendar: <I>(model: ModelRef<I>, spec: CalendarSpec<Name<I>>): ViewDefinition => define(model, 'calendar', spec),
  /** A chart of record groups. */
  graph: <I>(model: ModelRef<I>, spec: GraphSpec<Name<I>>): ViewDefinition => define(model, 'graph', spec),
  /** A pivot table: some groups as rows, others as columns. */
  pivot: <I>(model: ModelRef<I>, spec: PivotSpec<Name<I>>): ViewDefinition => define(model, 'pivot', spec),
  /** Options of the search above the other views. */
  search: <I>(model: ModelRef<I>, spec: SearchSpec<Name<I>>): ViewDefinition => define(model, 'search', spec),
};

function define(model: ModelRef, type: ViewDefinition['type'], spec: object): ViewDefinition {
  const definition = { model: model.modelName, type, spec: spec as Readonly<Record<string, unknown>> };
  return Object.freeze(declaredHere(definition, view[type]));
}

/** Returns the icons of counts above forms. */
export function countIcons(all: readonly ViewDefinition[]): readonly string[] {
  return all
    .flatMap(({ spec }) => (Array.isArray(spec.counts) ? (spec.counts as ViewCount[]) : []))
    .map(({ icon }) => icon);
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Views of the backend: `view.list(…)`, `view.form(…)`, … */
    views: readonly ViewDefinition[];
  }
}

/** Views of the backend. */
export const views = contributionPoint('views', {
  shape: z.array(
    shaped('a view', '`view.list`, `view.form`, …', {
      model: text,
      type: z.enum(types),
      spec: z.looseObject({}),
    }),
  ),
  needs: { models, groups, menus, publicMethods },
  build({ contributions, needs, report }) {
    checkViews(contributions, needs).forEach(report);
    return contributions.flatMap(({ addon, value }) => value.map((view) => ({ ...view, addon: addon.name })));
  },
});
