import { createContext, useContext } from 'react';
import type { Control } from 'react-hook-form';
import type { FormItemInfo, ModelInfo } from '../types.ts';
import type { FormValues } from './values.ts';

/** What everything inside a form may know of it. */
export interface FormAbout {
  readonly info: ModelInfo;
  readonly id: number | 'new';
  readonly control: Control<Record<string, unknown>>;
  /** Whether the user may change this record at all. */
  readonly mayChange: boolean;
  /** Fields that are shown and not asked for: what opened the form said them. */
  readonly given: readonly string[];
  /** Values that conditions and amounts depend on, as they are typed. */
  readonly live: FormValues;
}

const FormContext = createContext<FormAbout | null>(null);
export const FormProvider = FormContext.Provider;

export function useFormAbout(): FormAbout {
  const about = useContext(FormContext);
  if (!about) throw new Error('useFormAbout is used outside a form.');
  return about;
}

const ItemContext = createContext<FormItemInfo | null>(null);
export const ItemProvider = ItemContext.Provider;

/** The item of the view that a widget is drawn for; null outside a form's items. */
export function useItem(): FormItemInfo | null {
  return useContext(ItemContext);
}
