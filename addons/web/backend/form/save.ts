import { RpcError } from 'pergola/browser';
import { askFirst } from '../lib/ask-first.ts';
import { type Conflicts, createRecord, saveOver } from '../lib/calls.ts';
import type { ModelInfo } from '../types.ts';
import { changedValues, type FormValues, seenValues } from './values.ts';

/** Outcome of saving a form. */
export type SaveResult =
  | { readonly kind: 'saved'; readonly id: number }
  /** The user cancelled. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'conflict'; readonly conflicts: Conflicts }
  | { readonly kind: 'invalid'; readonly fields: Readonly<Record<string, string>>; readonly message: string };

/** Values to save, and the values they replace. */
export interface Draft {
  readonly info: ModelInfo;
  readonly id: number | 'new';
  readonly values: FormValues;
  /** Values as loaded. */
  readonly loaded: FormValues;
  /** Values that the form shows without user input. */
  readonly base: FormValues;
  readonly defaults: FormValues;
}

/**
 * Saves the changes of a form. Returns the server's field errors; other errors are thrown.
 *
 * @throws RpcError
 */
export async function saveDraft({ info, id, values, loaded, base, defaults }: Draft): Promise<SaveResult> {
  const changed = changedValues(info, values, base);
  try {
    if (id === 'new') {
      const created = { ...changedValues(info, defaults, {}), ...changed };
      if (!(await askFirst(info, [], created))) return { kind: 'stopped' };
      return { kind: 'saved', id: await createRecord(info.name, created) };
    }
    if (Object.keys(changed).length === 0) return { kind: 'saved', id };
    if (!(await askFirst(info, [id], changed))) return { kind: 'stopped' };
    const seen = seenValues(changed, values, loaded);
    const conflicts = await saveOver({ model: info.name, id, values: changed, seen });
    return conflicts ? { kind: 'conflict', conflicts } : { kind: 'saved', id };
  } catch (error) {
    if (error instanceof RpcError && Object.keys(error.fields).length > 0)
      return { kind: 'invalid', fields: error.fields, message: error.message };
    throw error;
  }
}
