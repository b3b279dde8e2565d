import { createContext, useContext } from 'react';
import type { Control } from 'react-hook-form';
import type { FormItemInfo, ModelInfo } from '../types.ts';
import type { FormValues } from './values.ts';

/** Context of everything inside a form. */
export interface FormContextValue {
  readonly info: ModelInfo;
  readonly id: number | 'new';
  readonly control: Control<Record<string, unknown>>;
  /** Whether the user may edit this record. */
  readonly mayChange: boolean;
  /** Fields set by the opener of the form, shown read-only. */
  readonly presetFields: readonly string[];
  /** Current values of the fields that conditions and amounts depend on. */
  readonly live: FormValues;
}

const FormContext = createContext<FormContextValue | null>(null);
export const FormProvider = FormContext.Provider;

export function useRecordFormContext(): FormContextValue {
  const form = useContext(FormContext);
  if (!form) throw new Error('useRecordFormContext is used outside a form.');
  return form;
}

const ItemContext = createContext<FormItemInfo | null>(null);
export const ItemProvider = ItemContext.Provider;

/** Returns the view item whose widget is rendered, or null outside the items of a form. */
export function useItem(): FormItemInfo | null {
  return useContext(ItemContext);
}
