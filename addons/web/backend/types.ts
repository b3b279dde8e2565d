/** What the server tells the backend's screens, in the user's language. Types only: both sides import them. */

import type { FieldType } from 'pergola/orm';

/** What the server answers as it arrives here: moments are ISO texts. */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer I)[]
    ? readonly Wire<I>[]
    : T extends object
      ? { readonly [K in keyof T]: Wire<T[K]> }
      : T;

/** Odoo's prefix list, `[['state', '=', 'sale']]`. */
export type Domain = readonly unknown[];
export type ViewKind = 'list' | 'kanban' | 'calendar' | 'graph' | 'pivot' | 'form';

/** How amounts of a currency are written: digits behind the point, and what stands around the number. */
interface MoneyFormat {
  readonly digits: number;
  readonly before: string;
  readonly after: string;
}

/** What every screen starts with; comes with the page. */
export interface Start {
  readonly user: {
    readonly id: number;
    readonly partnerId: number | null;
    readonly name: string;
    readonly login: string;
    /** IANA zone, in which moments are shown. */
    readonly timezone: string;
    /** May see Apps and settings. */
    readonly isAdmin: boolean;
    readonly groups: readonly string[];
  };
  /** `fr_FR` */
  readonly lang: string;
  /** IANA zone of the site. */
  readonly siteTimezone: string;
  /** Whether mails stay in the outbox, for want of a mail server. */
  readonly keepsMails: boolean;
  readonly languages: readonly { readonly code: string; readonly name: string }[];
  /** By ISO code. */
  readonly currencies: Readonly<Record<string, MoneyFormat>>;
  readonly menus: readonly MenuEntry[];
  /** What this user chose of lists: columns, widths, order. By key. */
  readonly preferences: Readonly<Record<string, unknown>>;
}

/** A menu entry that the user may see; those without a target have entries below them. */
export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly parent: string | null;
  /** A Bootstrap icon's name. */
  readonly icon: string;
  readonly model: string | null;
  readonly domain: Domain;
  readonly views: readonly ViewKind[];
  readonly url: string | null;
  /** Whether the user may make records of the model. */
  readonly mayCreate: boolean;
}

/** A field that the user may read. */
export interface FieldInfo {
  readonly name: string;
  readonly kind: FieldType;
  readonly label: string;
  readonly help: string;
  readonly required: boolean;
  /** Forms do not change it. */
  readonly readonly: boolean;
  /** The same while a condition holds for the record, and those under which it has to be filled in, or is left out. */
  readonly readonlyWhen: Domain | null;
  readonly requiredWhen: Domain | null;
  readonly hiddenWhen: Domain | null;
  /** Kept in the database. */
  readonly store: boolean;
  /** Records can be grouped by it, and it can be added up. */
  readonly groupable: boolean;
  readonly sortable: boolean;
  readonly searchable: boolean;
  /** Has a text per language. */
  readonly translate: boolean;
  /** Changes are kept in the audit trail. */
  readonly tracked: boolean;
  /** The model fills it in if it is left empty. */
  readonly filled?: boolean;
  readonly selection: readonly (readonly [value: string, label: string])[];
  /** Colours of the theme in which values of a selection are shown. */
  readonly colors: Readonly<Record<string, string>>;
  /** The model a relation leads to. */
  readonly relation: string | null;
  /** one2many: the many2one on the other side. */
  readonly relationField: string | null;
  /** Which records are offered. */
  readonly domain: Domain;
  /** … beside other fields of the record: theirs (the key) lead to what its own do. */
  readonly within: Readonly<Record<string, string>>;
  readonly currencyField: string | null;
  /** datetime: the field with the zone of the record's place; `@site` for the site's. */
  readonly timezoneField: string | null;
  /** datetime: the stored field with its calendar day in that zone, for filters and groups. */
  readonly dayField: string | null;
  readonly size: number | null;
  /** Whether 20 (`percent`) or 0.2 (`ratio`) is 20 %; null for numbers that aren't shares. */
  readonly percentage: 'percent' | 'ratio' | null;
  /** Condition under which it is a share; other records hold amounts. */
  readonly percentageWhen?: Domain;
  /** Digits after the point of a decimal. */
  readonly places: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly maxBytes: number | null;
}

export interface ListColumn {
  readonly field: string;
  readonly label: string | null;
  readonly optional: boolean;
  readonly total: 'sum' | 'avg' | null;
  readonly widget: string | null;
}
export interface ListView {
  readonly columns: readonly ListColumn[];
  /** `name desc, id` */
  readonly order: string;
  /** Cells are changed in the list. */
  readonly editable: boolean;
}
export interface ViewButtonInfo {
  readonly method: string | null;
  /** What it begins in a window, in place of a method: a record whose many2one `by` leads here. */
  readonly opens: { readonly model: string; readonly by: string; readonly along: readonly string[] } | null;
  /** Methods that propose changes and make those that the user selects. */
  readonly reviews: { readonly changes: string; readonly apply: string } | null;
  readonly label: string;
  readonly when: Domain | null;
  readonly confirm: string | null;
  readonly primary: boolean;
  /** Lists offer it for the selected records too. */
  readonly bulk: boolean;
  /** Whether it sends mail. */
  readonly mails: boolean;
}
/** Changes that a button proposes. The user selects those to make; the texts are in the user's language. */
export interface ChangeReview {
  /** Stands for everything the review shows; `apply` refuses an outdated one. */
  readonly version: string;
  /** Headings of the cells. */
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly id: number;
    readonly label: string;
    readonly notes: readonly string[];
    readonly cells: readonly string[];
    readonly selected: boolean;
  }[];
  /** Sums with the selected changes. */
  readonly totals: readonly { readonly label: string; readonly value: string }[];
  /** Shown if there is nothing to change. */
  readonly empty: string;
}
/** A document of a record, for the menu. `url` has fields of the record in braces. */
export interface FormDocumentInfo {
  readonly label: string;
  readonly url: string;
  readonly when: Domain | null;
}
/** How many records lead to one, or what they come to, and where they are listed. */
export interface RecordCount {
  readonly label: string;
  readonly icon: string;
  readonly value: number;
  readonly to: Destination;
}
export interface FormItemInfo {
  readonly field: string;
  readonly label: string | null;
  readonly widget: string | null;
  readonly when: Domain | null;
  readonly columns: readonly string[] | null;
  readonly wide: boolean;
}
export interface FormSectionInfo {
  readonly label: string | null;
  readonly items: readonly FormItemInfo[];
  /** Sums of the lines above. */
  readonly totals: boolean;
}
export interface FormView {
  readonly title: string | null;
  readonly image: string | null;
  readonly status: string | null;
  readonly buttons: readonly ViewButtonInfo[];
  readonly documents: readonly FormDocumentInfo[];
  /** Whether counts of other records stand above it. */
  readonly hasCounts: boolean;
  readonly sections: readonly FormSectionInfo[];
  readonly tabs: readonly { readonly label: string; readonly sections: readonly FormSectionInfo[] }[];
}
export interface KanbanView {
  readonly title: string;
  readonly image: string | null;
  readonly lines: readonly string[];
  readonly groupBy: string | null;
}
export interface CalendarView {
  readonly title: string;
  readonly start: string;
  readonly end: string | null;
  /** Says that only the days count. */
  readonly allDay: string | null;
  readonly color: string | null;
}
export type ChartKind = 'bar' | 'line' | 'pie';
export interface GraphView {
  readonly chart: ChartKind;
  /** As `read_group` names it, `amount_total:sum`; `__count` is the number of records. */
  readonly measure: string;
  /** `date_order:month`; the second parts each bar or gives a line of its own. */
  readonly groupBy: readonly string[];
  readonly stacked: boolean;
}
export interface PivotView {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly measures: readonly string[];
}
export interface SearchView {
  /** What typing searches in. */
  readonly fields: readonly string[];
  readonly filters: readonly { readonly id: string; readonly label: string; readonly domain: Domain }[];
  readonly groups: readonly { readonly id: string; readonly label: string; readonly by: string }[];
}

/** A model as its screens need it. */
export interface ModelInfo {
  readonly name: string;
  readonly label: string;
  readonly nameField: string | null;
  /** Records are archived, not only deleted. */
  readonly archives: boolean;
  readonly appendOnly: boolean;
  /** `['id', 'matches', words]` works. */
  readonly fullText: boolean;
  readonly may: { readonly read: boolean; readonly write: boolean; readonly create: boolean; readonly unlink: boolean };
  readonly mixins: readonly string[];
  readonly fields: Readonly<Record<string, FieldInfo>>;
  readonly methods: readonly string[];
  /** Fields about whose new values the server may have a question; see `askFirst`. */
  readonly asksAbout: readonly string[];
  readonly list: ListView;
  readonly form: FormView;
  readonly kanban: KanbanView | null;
  readonly calendar: CalendarView | null;
  readonly graph: GraphView;
  readonly pivot: PivotView;
  readonly search: SearchView;
}

/** Where a figure or a line of the dashboard leads. */
export type Destination =
  | { readonly url: string }
  | { readonly model: string; readonly id: number; readonly menu: string | null }
  | {
      readonly model: string;
      readonly menu: string | null;
      readonly view: ViewKind | null;
      /** A filter of the model's search. */
      readonly filter: string | null;
      /** A condition that is none of them, under this name. */
      readonly condition: { readonly label: string; readonly domain: Domain } | null;
    };
export interface DashboardFigure {
  readonly label: string;
  readonly value: number;
  readonly urgent: boolean;
  readonly to: Destination;
}
export interface DashboardLine {
  readonly label: string;
  readonly note: string | null;
  readonly count: number | null;
  readonly urgent: boolean;
  /** Of steps: whether it has been taken. */
  readonly done: boolean | null;
  readonly to: Destination;
}
/** A course over days. */
export interface DashboardTrend {
  readonly labels: readonly string[];
  readonly series: readonly {
    readonly label: string;
    /** ISO code; amounts are in its major units. */
    readonly currency: string | null;
    readonly values: readonly number[];
    /** What it came to in the stretch before. */
    readonly before: number;
  }[];
  readonly to: Destination;
}
/** A widget with what it shows. */
export interface DashboardWidget {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  /** Null: it could not be worked out. */
  readonly content: {
    readonly figures: readonly DashboardFigure[];
    readonly trend: DashboardTrend | null;
    readonly lines: readonly DashboardLine[];
  } | null;
}
/** The page where one begins: the widgets that the user chose, in their order, and those that were taken away. */
export interface Dashboard {
  readonly widgets: readonly DashboardWidget[];
  readonly hidden: readonly { readonly id: string; readonly label: string }[];
}
/** What a user made of the page where one begins. */
export interface DashboardChoice {
  readonly order: readonly string[];
  readonly hidden: readonly string[];
}

/** What a column of a file may be read into: a field, `country_id/id` for a relation by external id, `id` for the record itself. */
export interface ImportTarget {
  readonly id: string;
  readonly label: string;
  readonly required: boolean;
}

/** A file as it was read. */
export interface ImportPreview {
  readonly headers: readonly string[];
  /** The first rows: values as they would be stored, texts of columns that are left out. */
  readonly sample: readonly (readonly string[])[];
  /** What is wrong with cells of the sample, by row and column; null: nothing. */
  readonly problems: readonly (readonly (string | null)[])[];
  readonly count: number;
  readonly targets: readonly ImportTarget[];
  /** What each column most likely means, unless that was given; empty: nothing. */
  readonly mapping: readonly string[];
  readonly columns: readonly ImportColumn[];
  readonly source: ImportSource;
  /** Zone of times that name none and whose field has no zone of its own; null if there are none. */
  readonly timezone: string | null;
}

/** How the numbers or dates of a column are written. */
export interface ImportColumn {
  readonly kind: 'number' | 'date' | null;
  /** The decimal sign (`.` or `,`), or what comes first in dates (`day` or `month`); null: it is not known. */
  readonly value: string | null;
  /** A cell that could mean two things; without a `value`, the user has to choose. */
  readonly question: {
    readonly example: string;
    readonly choices: readonly { readonly value: string; readonly label: string }[];
  } | null;
}

/** How a file was read: text files have an encoding and a delimiter, spreadsheets have sheets. */
export interface ImportSource {
  readonly encoding: string | null;
  readonly delimiter: string | null;
  readonly sheets: readonly { readonly name: string; readonly hidden: boolean }[];
  readonly sheet: number;
  readonly headerRow: number;
  /** The first rows, to choose the headings from. */
  readonly top: readonly { readonly line: number; readonly text: string }[];
  /** Encodings and delimiters to choose from. */
  readonly labels: {
    readonly encodings: readonly (readonly [value: string, label: string])[];
    readonly delimiters: readonly (readonly [value: string, label: string])[];
  };
}

/** A line that does not fit. */
export interface ImportError {
  /** Number of the row in the file. */
  readonly line: number;
  /** The heading; empty when it is about the line. */
  readonly column: string;
  readonly message: string;
}

/** What came of an import, or would. */
export interface ImportOutcome {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly faulty: number;
  readonly errors: readonly ImportError[];
  /** Questions to confirm before the records are kept: `text`, and `yes` for the confirming button. */
  readonly questions: readonly { readonly text: string; readonly yes: string }[];
  /** Whether it is in the database now. */
  readonly kept: boolean;
}
