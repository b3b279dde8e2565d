import type { ComponentType } from 'react';
import type { FieldInfo } from '../types.ts';
import { BooleanEdit, BooleanShow } from './boolean.tsx';
import { DateEdit, DateTimeEdit } from './dates.tsx';
import { ImageShow } from './image-show.tsx';
import { Many2OneEdit, Many2OneShow } from './many2one.tsx';
import { NumberEdit, NumberShow, PlainNumberShow } from './number.tsx';
import { SelectionEdit, SelectionShow } from './selection.tsx';
import { TextAreaEdit, TextEdit, TextShow } from './text.tsx';

/** Props of a widget that shows a value. `record` holds the other loaded values, such as the currency of an amount. */
export interface ShowProps {
  readonly value: unknown;
  readonly field: FieldInfo;
  readonly record: Readonly<Record<string, unknown>>;
  readonly model: string;
}

/** Props of a widget that edits a value. The caller renders the label: it refers to `id`, unless `aria-label` is given. */
export interface EditProps extends ShowProps {
  readonly id: string;
  /** Called with a value in the same format: many2one as `[id, name]`, empty values as false. */
  onChange(value: unknown): void;
  /** Called when the field loses focus. */
  onBlur?(): void;
  readonly disabled?: boolean;
  readonly invalid?: boolean;
  /** Errors returned by the server for columns of lines, by name. */
  readonly faults?: Readonly<Record<string, unknown>>;
  /** Id of the help or error text. */
  readonly describedBy?: string;
  readonly label?: string;
  readonly autoFocus?: boolean;
  /** Renders compactly for a table cell, without buttons. */
  readonly inList?: boolean;
}

/** Widgets that show and edit one kind of field, in lists as well as forms. */
export interface FieldWidget {
  readonly Show: ComponentType<ShowProps>;
  /** Null if forms show the field read-only. */
  readonly Edit: ComponentType<EditProps> | null;
  /** Whether it can edit cells of a list. */
  readonly inList: boolean;
  /** Right-aligned in tables. */
  readonly isNumber?: boolean;
}

/** By kind of field, or by the widget name in a view (`widget: 'priority'`). */
export type Widgets = Readonly<Record<string, FieldWidget>>;

const text: FieldWidget = { Show: TextShow, Edit: TextEdit, inList: true };
const number: FieldWidget = { Show: NumberShow, Edit: NumberEdit, inList: true, isNumber: true };

/** Widgets shared by lists and forms. Forms add rich text, images and lines (`form/widgets.ts`). */
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
  // Set in views: `{ field: 'mnbr', widget: 'plain' }`, for numbers that identify something.
  plain: { Show: PlainNumberShow, Edit: NumberEdit, inList: true, isNumber: true },
};

const fallback: FieldWidget = { Show: TextShow, Edit: null, inList: false };

/** Returns the widget named by the view, else the default of the field's kind. `more` takes precedence over the basic widgets. */
export function widgetFor(field: FieldInfo, widgetName: string | null = null, more: Widgets = {}): FieldWidget {
  const all: Widgets = { ...basicWidgets, ...more };
  return (
    (widgetName !== null && Object.hasOwn(all, widgetName) ? all[widgetName] : undefined) ?? all[field.kind] ?? fallback
  );
}

export { toWire } from './wire.ts';
