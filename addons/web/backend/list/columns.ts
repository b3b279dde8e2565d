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
export function usualWidth(field: FieldInfo, label: string, isFirst: boolean): number {
  const head = Math.min(label.length * LETTER + AROUND, WIDEST_HEAD);
  // The first text is what one knows a record by.
  return Math.round(Math.max(widthOfKind(field), head, isFirst && field.kind === 'char' ? WIDTH_OF_NAME : 0));
}

function widthOfKind({ kind }: FieldInfo): number {
  switch (kind) {
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
