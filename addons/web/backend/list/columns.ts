import type { FieldInfo, ListColumn, ModelInfo } from '../types.ts';

/** A column as the user has it. */
export interface ColumnChoice {
  readonly field: string;
  /** CSS pixels; null: by its kind. */
  readonly width: number | null;
}

/** Whether a field can be a column. */
export function isListable({ kind, name }: FieldInfo): boolean {
  return kind !== 'binary' && kind !== 'json' && name !== 'id';
}

/** Pixels that a letter of a head takes, and those around it: its padding, and the arrow of what is sorted by. */
const LETTER = 7.6;
const AROUND = 42;
/** A head that needs more than this is cut off. */
const WIDEST_HEAD = 190;
const WIDTH_OF_NAME = 256;

/** How wide a column is where nobody said: as its kind needs it, and so that its head can be read. */
function usualWidth(field: FieldInfo, label: string, isFirst: boolean): number {
  const head = Math.min(label.length * LETTER + AROUND, WIDEST_HEAD);
  // The first text is what one knows a record by.
  return Math.round(Math.max(widthOfKind(field), head, isFirst && field.kind === 'char' ? WIDTH_OF_NAME : 0));
}

/** A column whose width is not settled yet. */
export interface WantedColumn {
  readonly field: FieldInfo;
  readonly label: string;
  /** What the user made of it; null: nobody said. */
  readonly width: number | null;
}

/**
 * The widths of a list's columns in CSS pixels. Where all of them together want more than there is `room` (0: not known), those that nobody set give
 * way, as far as what they hold can still be read; after that the list is scrolled.
 */
export function columnWidths(columns: readonly WantedColumn[], room: number): number[] {
  const wanted = columns.map(({ field, label, width }, index) => {
    const usual = width ?? usualWidth(field, label, index === 0);
    return { usual, gives: width === null && index > 0 ? Math.max(0, usual - leastWidth(field, label)) : 0 };
  });
  const over = wanted.reduce((sum, { usual }) => sum + usual, 0) - room;
  const all = wanted.reduce((sum, { gives }) => sum + gives, 0);
  const part = room > 0 && over > 0 && all > 0 ? Math.min(1, over / all) : 0;
  return wanted.map(({ usual, gives }) => Math.floor(usual - gives * part));
}

/** The narrowest a column gets by itself. */
function leastWidth(field: FieldInfo, label: string): number {
  const head = Math.min(label.length * LETTER + AROUND, WIDEST_HEAD - 50);
  // A state is read whole.
  const longest = Math.max(0, ...field.selection.map(([, choice]) => choice.length));
  const least = namesZone(field)
    ? WIDTH_WITH_ZONE
    : (LEAST[field.kind] ?? (longest > 0 ? Math.min(longest * LETTER + AROUND, WIDEST_HEAD) : 120));
  return Math.round(Math.max(least, head, 104));
}

/** A moment and an amount take all their letters; a long text is cut off anyway. */
const LEAST: Readonly<Partial<Record<FieldInfo['kind'], number>>> = {
  datetime: 196,
  date: 120,
  money: 112,
  text: 116,
};

/** Holds “Dec 31, 2026, 10:00 AM (Los Angeles time)”. */
const WIDTH_WITH_ZONE = 320;

/** Whether moments of a column are in zones of their records, which are shown with them. */
function namesZone({ timezoneField }: FieldInfo): boolean {
  return Boolean(timezoneField) && timezoneField !== '@site';
}

function widthOfKind(field: FieldInfo): number {
  if (namesZone(field)) return WIDTH_WITH_ZONE;
  switch (field.kind) {
    case 'boolean':
      return 96;
    case 'image':
      return 72;
    case 'integer':
      return 104;
    case 'date':
    case 'float':
    case 'decimal':
    case 'money':
      return 136;
    case 'datetime':
      return 208;
    case 'text':
    case 'html':
      return 280;
    default:
      return 200;
  }
}

/** What the addon says of a column. */
export function declaredColumn(info: ModelInfo, field: string): ListColumn {
  return (
    info.list.columns.find((column) => column.field === field) ?? {
      field,
      label: null,
      optional: true,
      total: null,
      widget: null,
    }
  );
}
