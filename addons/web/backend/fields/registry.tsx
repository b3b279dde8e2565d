import type { ComponentType } from 'react';
import type { FieldInfo } from '../types.ts';
import { BooleanEdit, BooleanShow } from './boolean.tsx';
import { DateEdit, DateTimeEdit } from './dates.tsx';
import { ImageShow } from './image-show.tsx';
import { Many2OneEdit, Many2OneShow } from './many2one.tsx';
import { NumberEdit, NumberShow, PlainNumberShow } from './number.tsx';
import { SelectionEdit, SelectionShow } from './selection.tsx';
import { TextAreaEdit, TextEdit, TextShow } from './text.tsx';

/** What a widget shows. `record` holds the other values that are at hand: a currency beside an amount. */
export interface ShowProps {
  readonly value: unknown;
  readonly field: FieldInfo;
  readonly record: Readonly<Record<string, unknown>>;
  readonly model: string;
}

/** What a widget that changes a value gets beside it. The label is somebody else's: it names `id`, or `aria-label` is given. */
export interface EditProps extends ShowProps {
  readonly id: string;
  /** Of the same shape as `value`: many2one as `[id, name]`, what is empty as false. */
  onChange(value: unknown): void;
  /** The field was left. */
  onBlur?(): void;
  readonly disabled?: boolean;
  readonly invalid?: boolean;
  /** What the server finds wrong with columns of lines, by name. */
  readonly faults?: Readonly<Record<string, unknown>>;
  /** The id of help or an error text. */
  readonly describedBy?: string;
  readonly label?: string;
  readonly autoFocus?: boolean;
  /** In a cell of a table: smaller, without buttons beside it. */
  readonly inList?: boolean;
}

/** How values of one kind of field are shown and changed, in lists and forms alike. */
export interface FieldWidget {
  readonly Show: ComponentType<ShowProps>;
  /** Null: forms only show it. */
  readonly Edit: ComponentType<EditProps> | null;
  /** Whether cells of a list may be changed with it. */
  readonly inList: boolean;
  /** Right-aligned in tables. */
  readonly isNumber?: boolean;
}

/** By kind of field, or by the name that a view gives (`widget: 'priority'`). */
export type Widgets = Readonly<Record<string, FieldWidget>>;

const text: FieldWidget = { Show: TextShow, Edit: TextEdit, inList: true };
const number: FieldWidget = { Show: NumberShow, Edit: NumberEdit, inList: true, isNumber: true };

/** The widgets that lists and forms share. Forms bring more (`form/widgets.ts`): rich text, pictures, lines. */
const basicWidgets: Widgets = {
  char: text,
  text: { Show: TextShow, Edit: TextAreaEdit, inList: false },
  integer: number,
  float: number,
  decimal: number,
  money: number,
  boolean: { Show: BooleanShow, Edit: BooleanEdit, inList: true },
  date: { Show: TextShow, Edit: DateEdit, inList: true },
  datetime: { Show: TextShow, Edit: DateTimeEdit, inList: true },
  selection: { Show: SelectionShow, Edit: SelectionEdit, inList: true },
  many2one: { Show: Many2OneShow, Edit: Many2OneEdit, inList: true },
  image: { Show: ImageShow, Edit: null, inList: false },
  // Named by views: `{ field: 'mnbr', widget: 'plain' }`, for numbers that name something.
  plain: { Show: PlainNumberShow, Edit: NumberEdit, inList: true, isNumber: true },
};

const fallback: FieldWidget = { Show: TextShow, Edit: null, inList: false };

/** The widget of a field: the one its view names, else that of its kind; `more` goes before the basic ones. */
export function widgetFor(field: FieldInfo, named: string | null = null, more: Widgets = {}): FieldWidget {
  const all: Widgets = { ...basicWidgets, ...more };
  return (named !== null && Object.hasOwn(all, named) ? all[named] : undefined) ?? all[field.kind] ?? fallback;
}

export { toWire } from './wire.ts';
