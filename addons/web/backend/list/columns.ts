import type { FieldInfo, ListColumn, ModelInfo } from '../types.ts';

/** A column with the user's width. */
export interface ColumnChoice {
  readonly field: string;
  /** CSS pixels; null for the default of its kind. */
  readonly width: number | null;
}

/** Whether a field can be a column. */
export function isListable({ kind, name }: FieldInfo): boolean {
  return kind !== 'binary' && kind !== 'json' && name !== 'id';
}

/** Pixels per character of a header, and for its padding and sort arrow. */
const LETTER_WIDTH = 7.6;
const HEADER_EXTRA = 42;
/** Headers that need more are truncated. */
const MAX_HEADER_WIDTH = 190;
const WIDTH_OF_NAME = 256;

/** Default width of a column: fits its kind of value and its header. */
function defaultWidth(field: FieldInfo, label: string, isFirst: boolean): number {
  const head = Math.min(label.length * LETTER_WIDTH + HEADER_EXTRA, MAX_HEADER_WIDTH);
  // The first text identifies the record.
  return Math.round(Math.max(widthOfKind(field), head, isFirst && field.kind === 'char' ? WIDTH_OF_NAME : 0));
}

/** A column whose width has yet to be calculated. */
export interface WantedColumn {
  readonly field: FieldInfo;
  readonly label: string;
  /** The user's width, or null for the default. */
  readonly width: number | null;
}

/**
 * Returns the column widths of a list in CSS pixels. If the columns need more than `room` (0 if unknown), columns not resized by the user
 * shrink while their content stays readable; beyond that the list scrolls.
 */
export function columnWidths(columns: readonly WantedColumn[], room: number): number[] {
  const sizes = columns.map(({ field, label, width }, index) => {
    const initialWidth = width ?? defaultWidth(field, label, index === 0);
    return {
      initialWidth,
      gives: width === null && index > 0 ? Math.max(0, initialWidth - minimumWidth(field, label)) : 0,
    };
  });
  const over = sizes.reduce((sum, { initialWidth }) => sum + initialWidth, 0) - room;
  const all = sizes.reduce((sum, { gives }) => sum + gives, 0);
  const part = room > 0 && over > 0 && all > 0 ? Math.min(1, over / all) : 0;
  return sizes.map(({ initialWidth, gives }) => Math.floor(initialWidth - gives * part));
}

/** Minimum width of a column that the user hasn't resized. */
function minimumWidth(field: FieldInfo, label: string): number {
  const head = Math.min(label.length * LETTER_WIDTH + HEADER_EXTRA, MAX_HEADER_WIDTH - 50);
  // States are never truncated.
  const longest = Math.max(0, ...field.selection.map(([, choice]) => choice.length));
  const minWidth = namesZone(field)
    ? WIDTH_WITH_ZONE
    : (LEAST[field.kind] ?? (longest > 0 ? Math.min(longest * LETTER_WIDTH + HEADER_EXTRA, MAX_HEADER_WIDTH) : 120));
  return Math.round(Math.max(minWidth, head, 104));
}

/** Moments and amounts need all characters, long texts are truncated anyway. */
const LEAST: Readonly<Partial<Record<FieldInfo['kind'], number>>> = {
  datetime: 196,
  date: 120,
  money: 112,
  text: 116,
};

/** Holds “Dec 31, 2026, 10:00 AM (Los Angeles time)”. */
const WIDTH_WITH_ZONE = 320;

/** Whether the moments of a column are shown with the time zone of their record. */
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

/** The column as declared by the addon. */
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
