/** Data that the server sends to the backend's screens, in the user's language. Types only, shared by server and browser. */

import type { FieldType } from 'pergola/orm';

/** Odoo's domain in prefix notation, `[['state', '=', 'sale']]`. */
export type Domain = readonly unknown[];
export type ViewKind = 'list' | 'kanban' | 'calendar' | 'graph' | 'pivot' | 'form';

/** Format of amounts in a currency: number of decimals, and the text around the number. */
interface MoneyFormat {
  readonly digits: number;
  readonly before: string;
  readonly after: string;
}

/** Start data of every screen, delivered with the page. */
export interface Start {
  readonly user: {
    readonly id: number;
    readonly partnerId: number | null;
    readonly name: string;
    readonly login: string;
    /** IANA zone in which moments are shown. */
    readonly timezone: string;
    /** May open Apps and settings. */
    readonly isAdmin: boolean;
    readonly groups: readonly string[];
  };
  /** `fr_FR` */
  readonly lang: string;
  /** IANA zone of the site. */
  readonly siteTimezone: string;
  /** Whether emails are held because there is no mail server. */
  readonly keepsMails: boolean;
  readonly languages: readonly { readonly code: string; readonly name: string }[];
  /** By ISO code. */
  readonly currencies: Readonly<Record<string, MoneyFormat>>;
  readonly menus: readonly MenuEntry[];
  /** User's preferences for lists: columns, widths and order, by key. */
  readonly preferences: Readonly<Record<string, unknown>>;
}

/** A menu entry visible to the user. Entries without a target have children. */
export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly parent: string | null;
  /** Name of a Bootstrap icon. */
  readonly icon: string;
  readonly model: string | null;
  readonly domain: Domain;
  readonly views: readonly ViewKind[];
  readonly url: string | null;
  /** Whether the user may create records of the model. */
  readonly mayCreate: boolean;
}

/** A field that the user may read. */
export interface FieldInfo {
  readonly name: string;
  readonly kind: FieldType;
  readonly label: string;
  readonly help: string;
  readonly required: boolean;
  /** Forms show it read-only. */
  readonly readonly: boolean;
  /** Conditions on the record under which the field is read-only, required or hidden. */
  readonly readonlyWhen: Domain | null;
  readonly requiredWhen: Domain | null;
  readonly hiddenWhen: Domain | null;
  /** Whether it is stored in the database. */
  readonly store: boolean;
  /** Whether records can be grouped by it, and it can be aggregated. */
  readonly groupable: boolean;
  readonly sortable: boolean;
  readonly searchable: boolean;
  /** Whether it has a text per language. */
  readonly translate: boolean;
  /** Whether changes are recorded in the audit trail. */
  readonly tracked: boolean;
  /** The model fills it in if it is left empty. */
  readonly filled?: boolean;
  readonly selection: readonly (readonly [value: string, label: string])[];
  /** Theme colours for the values of a selection. */
  readonly colors: Readonly<Record<string, string>>;
  /** Model of the related records. */
  readonly relation: string | null;
  /** one2many: the many2one on the other side. */
  readonly relationField: string | null;
  /** Domain of the selectable records. */
  readonly domain: Domain;
  /** … depending on other fields of the record: maps a field of the related model to the field with the same value here. */
  readonly within: Readonly<Record<string, string>>;
  readonly currencyField: string | null;
  /** datetime: field with the record's time zone; `@site` for the site's. */
  readonly timezoneField: string | null;
  /** datetime: stored field with its calendar day in that zone, for filters and groups. */
  readonly dayField: string | null;
  readonly size: number | null;
  /** Whether 20 (`percent`) or 0.2 (`ratio`) is 20 %; null for numbers that aren't shares. */
  readonly percentage: 'percent' | 'ratio' | null;
  /** Condition under which it is a share; other records hold amounts. */
  readonly percentageWhen?: Domain;
  /** Decimals of a number. */
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
  /** Cells can be edited in the list. */
  readonly editable: boolean;
}
export interface ViewButtonInfo {
  readonly method: string | null;
  /** Instead of calling a method, opens a dialog for a new record whose many2one `by` refers to this one. */
  readonly opens: { readonly model: string; readonly by: string; readonly along: readonly string[] } | null;
  /** Methods that propose changes, and apply those selected by the user. */
  readonly reviews: { readonly changes: string; readonly apply: string } | null;
  readonly label: string;
  readonly when: Domain | null;
  readonly confirm: string | null;
  readonly primary: boolean;
  /** Also offered for selected records in lists. */
  readonly bulk: boolean;
  /** Whether it sends mail. */
  readonly mails: boolean;
}
/** Changes proposed by a button, from which the user selects. Texts are in the user's language. */
export interface ChangeReview {
  /** Identifies the content of the review; `apply` refuses an outdated version. */
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
  /** Totals including the selected changes. */
  readonly totals: readonly { readonly label: string; readonly value: string }[];
  /** Shown if there is nothing to change. */
  readonly empty: string;
}
/** A document of a record, for the menu. `url` may contain fields of the record in braces. */
export interface FormDocumentInfo {
  readonly label: string;
  readonly url: string;
  readonly when: Domain | null;
}
/** Number or total of related records, and the address of their list. */
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
  /** Totals of the lines above. */
  readonly totals: boolean;
}
export interface FormView {
  readonly title: string | null;
  readonly image: string | null;
  readonly status: string | null;
  readonly buttons: readonly ViewButtonInfo[];
  readonly documents: readonly FormDocumentInfo[];
  /** Whether counts of related records are shown above it. */
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
  /** Field that marks all-day events. */
  readonly allDay: string | null;
  readonly color: string | null;
}
export type ChartKind = 'bar' | 'line' | 'pie';
export interface GraphView {
  readonly chart: ChartKind;
  /** In the format of `read_group`, `amount_total:sum`; `__count` is the number of records. */
  readonly measure: string;
  /** `date_order:month`; the second splits each bar or adds a line for each value. */
  readonly groupBy: readonly string[];
  readonly stacked: boolean;
}
export interface PivotView {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly measures: readonly string[];
}
export interface SearchView {
  /** Fields that a text search looks in. */
  readonly fields: readonly string[];
  readonly filters: readonly { readonly id: string; readonly label: string; readonly domain: Domain }[];
  readonly groups: readonly { readonly id: string; readonly label: string; readonly by: string }[];
}

/** A model's definition for its screens. */
export interface ModelInfo {
  readonly name: string;
  readonly label: string;
  readonly nameField: string | null;
  /** Records can be archived as well as deleted. */
  readonly archives: boolean;
  readonly appendOnly: boolean;
  /** Changes can be undone. */
  readonly undoes: boolean;
  /** Whether `['id', 'matches', words]` is supported. */
  readonly fullText: boolean;
  readonly may: { readonly read: boolean; readonly write: boolean; readonly create: boolean; readonly unlink: boolean };
  readonly mixins: readonly string[];
  readonly fields: Readonly<Record<string, FieldInfo>>;
  readonly methods: readonly string[];
  /** Fields for whose new values the server may ask for confirmation; see `askFirst`. */
  readonly asksAbout: readonly string[];
  readonly list: ListView;
  readonly form: FormView;
  readonly kanban: KanbanView | null;
  readonly calendar: CalendarView | null;
  readonly graph: GraphView;
  readonly pivot: PivotView;
  readonly search: SearchView;
}

/** Destination of a figure or row of the dashboard. */
export type Destination =
  | { readonly url: string }
  | { readonly model: string; readonly id: number; readonly menu: string | null }
  | {
      readonly model: string;
      readonly menu: string | null;
      readonly view: ViewKind | null;
      /** A filter of the model's search. */
      readonly filter: string | null;
      /** Label and domain of a filter that the search doesn't declare. */
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
  /** For steps: whether it is done. */
  readonly done: boolean | null;
  readonly to: Destination;
}
/** A series of values by day. */
export interface DashboardTrend {
  readonly labels: readonly string[];
  readonly series: readonly {
    readonly label: string;
    /** ISO code; amounts are in its major units. */
    readonly currency: string | null;
    readonly values: readonly number[];
    /** Total of the preceding period. */
    readonly before: number;
  }[];
  readonly to: Destination;
}
/** A widget with its content. */
export interface DashboardWidget {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  /** Null if it couldn't be computed. */
  readonly content: {
    readonly figures: readonly DashboardFigure[];
    readonly trend: DashboardTrend | null;
    readonly lines: readonly DashboardLine[];
  } | null;
}
/** Dashboard: the user's widgets in their order, and the hidden ones. */
export interface Dashboard {
  readonly widgets: readonly DashboardWidget[];
  readonly hidden: readonly { readonly id: string; readonly label: string }[];
}
/** User's arrangement of the dashboard. */
export interface DashboardChoice {
  readonly order: readonly string[];
  readonly hidden: readonly string[];
}

/** Import target of a file column: a field, `country_id/id` for a relation by external id, `id` for the record itself. */
export interface ImportTarget {
  readonly id: string;
  readonly label: string;
  readonly required: boolean;
}

/** A parsed file. */
export interface ImportPreview {
  readonly headers: readonly string[];
  /** First rows: values as they would be stored; texts of ignored columns. */
  readonly sample: readonly (readonly string[])[];
  /** Problems of cells in the sample by row and column, or null. */
  readonly problems: readonly (readonly (string | null)[])[];
  readonly count: number;
  readonly targets: readonly ImportTarget[];
  /** Suggested target of each column unless one was given; empty to ignore it. */
  readonly mapping: readonly string[];
  readonly columns: readonly ImportColumn[];
  readonly source: ImportSource;
  /** Time zone assumed for times without one if their field has no zone either; null if there are no such times. */
  readonly timezone: string | null;
}

/** Format of the numbers or dates in a column. */
export interface ImportColumn {
  readonly kind: 'number' | 'date' | null;
  /** Decimal sign (`.` or `,`), or the first part of dates (`day` or `month`); null if unknown. */
  readonly value: string | null;
  /** An ambiguous cell. Without a `value`, the user has to choose. */
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
  /** First rows, from which the user selects the headings. */
  readonly top: readonly { readonly line: number; readonly text: string }[];
  /** Available encodings and delimiters. */
  readonly labels: {
    readonly encodings: readonly (readonly [value: string, label: string])[];
    readonly delimiters: readonly (readonly [value: string, label: string])[];
  };
}

/** A row with an error. */
export interface ImportError {
  /** Row number in the file. */
  readonly line: number;
  /** Heading of the column; empty if the error concerns the whole row. */
  readonly column: string;
  readonly message: string;
}

/** Result of an import or a test run. */
export interface ImportOutcome {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly faulty: number;
  readonly errors: readonly ImportError[];
  /** Questions to confirm before the records are stored; `yes` labels the confirming button. */
  readonly questions: readonly { readonly text: string; readonly yes: string }[];
  /** Whether it is stored in the database. */
  readonly kept: boolean;
}
