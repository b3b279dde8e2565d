import { contributionPoint, type FieldsOf, type ModelRef, z } from 'pergola';
import { declaredHere, shaped, text } from 'pergola/kernel';
import { groups, models } from 'pergola/orm';
import type { ChangeReview } from '../backend/types.ts';
import { checkViews } from './check-views.ts';
import type { FieldWidget } from './field-widgets.ts';
import { menus } from './menus.ts';
import { publicMethods } from './public-methods.ts';

const types = ['list', 'form', 'kanban', 'calendar', 'graph', 'pivot', 'search'] as const;

/** How the backend shows a model's records. Checked against the model's fields when a generation is built. */
export interface ViewDefinition {
  readonly model: string;
  readonly type: (typeof types)[number];
  readonly spec: Readonly<Record<string, unknown>>;
}

export type { ChangeReview };

type Name<I> = keyof FieldsOf<I> & string;
/** A column of a list that is more than its field. */
export interface Column<N> {
  readonly field: N;
  readonly label?: string;
  /** Hidden until the user chooses it. */
  readonly optional?: boolean;
  readonly total?: 'sum' | 'avg';
  readonly widget?: FieldWidget;
}
/** A button above a form: it runs a method of the record, creates a record that refers to it, or proposes changes. */
export type ViewButton = ViewButtonAbout &
  (
    | {
        /** A declared public method of the model. */
        readonly method: string;
      }
    | {
        /**
         * A new record of another model in a window, whose many2one `by` leads here. Shown to whoever may create one. It begins with this record's values of the
         * fields that are named `along`.
         */
        readonly opens: { readonly model: string; readonly by: string; readonly along?: readonly string[] };
      }
    | {
        /**
         * Two declared public methods: `changes` answers a {@link ChangeReview} without changing anything, `apply` makes the changes that the user
         * selected. Called with `{ selected }` and `{ version, selected }`.
         */
        readonly reviews: { readonly changes: string; readonly apply: string };
      }
  );
interface ViewButtonAbout {
  readonly label: string;
  /** Shown only for records that match. */
  readonly when?: readonly unknown[];
  readonly confirm?: string;
  readonly primary?: boolean;
  /** Lists offer the method for the selected records too. */
  readonly bulk?: boolean;
  /** Whether the record that it `opens` sends mail when it is saved: without a mail server, users learn that the mail is held. Methods say so themselves, see `publicMethod`. */
  readonly mails?: boolean;
  /** Whoever is in none of these groups does not see it; the method has its own rights. */
  readonly groups?: readonly string[];
}
/** How many records of another model lead to one, or what a field of theirs comes to. It leads to their list. */
export interface ViewCount {
  readonly label: string;
  /** A Bootstrap icon's name. */
  readonly icon: string;
  /** The records that are counted … */
  readonly model: string;
  /** … by the field that leads here; a path too: `product_id.product_tmpl_id`. */
  readonly by: string;
  /** Counted are only those that match. */
  readonly domain?: readonly unknown[];
  /** A number that is added up, in place of counting the records. */
  readonly sum?: string;
  /** The menu under which the list opens; counted are only records that it shows. */
  readonly menu?: string;
}
/** A document of a record, offered in its menu: a page to print, a PDF. */
export interface ViewDocument<N extends string> {
  readonly label: string;
  /** A path on this site, with fields of the record in braces: `/tickets/{id}.pdf`, `{quote_url}/pdf`. */
  readonly url: `/${string}` | `{${N}}${string}`;
  /** Offered only for records that match. */
  readonly when?: readonly unknown[];
}
/** A field of a form that is more than its name. */
export interface FormItem<N> {
  readonly field: N;
  readonly label?: string;
  /** How it is shown and edited, if that does not follow from the field. */
  readonly widget?: FieldWidget;
  readonly when?: readonly unknown[];
  /** Columns of an x2many table. */
  readonly columns?: readonly string[];
  readonly wide?: boolean;
}
/** Fields that belong together. */
export interface FormSection<N> {
  readonly label?: string;
  readonly items: readonly (N | FormItem<N>)[];
  /** Sums of the lines above: they stand at the right, and the last one stands out. */
  readonly totals?: boolean;
}

/** What a view of another addon's model may say. */
interface Addition {
  /** Comes behind what the views of other addons have, instead of in their place. */
  readonly adds?: boolean;
}

/** A table of records. */
export interface ListSpec<N> extends Addition {
  /** Fields, in the order of the columns. */
  readonly columns: readonly (N | Column<N>)[];
  /** `"date desc, name"`; the model's own when left out. */
  readonly order?: string;
  /** Rows are changed in their place. */
  readonly editable?: boolean;
}

/** One record. */
export interface FormSpec<N extends string> extends Addition {
  /** The field that stands above all others. */
  readonly title?: N;
  /** An image field beside the title. */
  readonly image?: N;
  /** A selection that is shown as the way a record goes. */
  readonly status?: N;
  readonly buttons?: readonly ViewButton[];
  /** Counts of records that lead to this one. */
  readonly counts?: readonly ViewCount[];
  /** What can be printed or downloaded of it, in its menu. */
  readonly documents?: readonly ViewDocument<N>[];
  /** Groups of fields, side by side where there is room. */
  readonly sections?: readonly FormSection<N>[];
  /** More sections, below and one tab at a time. Tabs of the same name are one. */
  readonly tabs?: readonly { readonly label: string; readonly sections: readonly FormSection<N>[] }[];
}

/** Cards. */
export interface KanbanSpec<N> {
  readonly title: N;
  readonly image?: N;
  /** Fields below the title. */
  readonly lines?: readonly N[];
  /** One column for each value of this field; cards are dragged from one to another. */
  readonly groupBy?: N;
}

/** Records by the day. */
export interface CalendarSpec<N> {
  readonly title: N;
  /** A date or a moment. */
  readonly start: N;
  readonly end?: N;
  /** The switch that says that only the days count; a field `allday` is one by itself. */
  readonly allDay?: N;
  /** Records with the same value have the same colour. */
  readonly color?: N;
}

/** A field to group by; dates with their span. */
type GroupName<N extends string> = N | `${N}:${'day' | 'week' | 'month' | 'quarter' | 'year'}`;
/** What is worked out over each group: a number, added up unless something else is said; or how many records there are. */
type MeasureName<N extends string> = '__count' | N | `${N}:${'sum' | 'avg' | 'min' | 'max' | 'count_distinct'}`;

/** A chart of groups. */
export interface GraphSpec<N extends string> {
  /** Left out: bars. */
  readonly chart?: 'bar' | 'line' | 'pie';
  readonly measure: MeasureName<N>;
  /** The first is the axis; the second parts its bars, or gives a line each. */
  readonly groupBy: readonly GroupName<N>[];
  /** Left out: what parts a bar stands one on the other. */
  readonly stacked?: boolean;
}

/** Totals where groups cross. */
export interface PivotSpec<N extends string> {
  readonly rows: readonly GroupName<N>[];
  readonly columns?: readonly GroupName<N>[];
  readonly measures: readonly MeasureName<N>[];
}

/** What can be looked for. */
export interface SearchSpec<N> extends Addition {
  /** Fields in which a word that is typed is looked for. */
  readonly fields?: readonly N[];
  readonly filters?: readonly { readonly id: string; readonly label: string; readonly domain: readonly unknown[] }[];
  /** `by` is a field, for dates with the span: `date:month`. */
  readonly groups?: readonly { readonly id: string; readonly label: string; readonly by: string }[];
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
  /** A table of records. */
  list: <I>(model: ModelRef<I>, spec: ListSpec<Name<I>>): ViewDefinition => define(model, 'list', spec),
  /** One record. */
  form: <I>(model: ModelRef<I>, spec: FormSpec<Name<I>>): ViewDefinition => define(model, 'form', spec),
  /** Cards, in columns where `groupBy` says so. Over the cards of another addon: `{ adds: true, lines: […] }`. */
  kanban: <I>(
    model: ModelRef<I>,
    spec: KanbanSpec<Name<I>> | { readonly adds: true; readonly lines: readonly Name<I>[] },
  ): ViewDefinition => define(model, 'kanban', spec),
  /** Records in a calendar of days, weeks and months. */
  calendar: <I>(model: ModelRef<I>, spec: CalendarSpec<Name<I>>): ViewDefinition => define(model, 'calendar', spec),
  /** A chart over groups of records. */
  graph: <I>(model: ModelRef<I>, spec: GraphSpec<Name<I>>): ViewDefinition => define(model, 'graph', spec),
  /** A table of totals: groups downwards, others across. */
  pivot: <I>(model: ModelRef<I>, spec: PivotSpec<Name<I>>): ViewDefinition => define(model, 'pivot', spec),
  /** What the search above the other views offers. */
  search: <I>(model: ModelRef<I>, spec: SearchSpec<Name<I>>): ViewDefinition => define(model, 'search', spec),
};

function define(model: ModelRef, type: ViewDefinition['type'], spec: object): ViewDefinition {
  const made = { model: model.modelName, type, spec: spec as Readonly<Record<string, unknown>> };
  return Object.freeze(declaredHere(made, view[type]));
}

/** The icons of counts above forms. */
export function countIcons(all: readonly ViewDefinition[]): readonly string[] {
  return all
    .flatMap(({ spec }) => (Array.isArray(spec.counts) ? (spec.counts as ViewCount[]) : []))
    .map(({ icon }) => icon);
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** How the backend shows records: `view.list(…)`, `view.form(…)`, … */
    views: readonly ViewDefinition[];
  }
}

/** Lists, forms and searches of the backend. */
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
