import { useSuspenseQuery } from '@tanstack/react-query';
import { RpcError, t } from 'pergola/browser';
import { callKw, readRecords } from '../lib/calls.ts';
import { keys } from '../lib/queries.ts';
import type { ModelInfo } from '../types.ts';
import type { FormValues } from './values.ts';
import { fieldsToRead } from './view.ts';

/** Returns the initial values of a form; suspends until they have loaded. Throws if the record doesn't exist. */
export function useRecord(info: ModelInfo, id: number | 'new', defaults: FormValues): FormValues {
  return useSuspenseQuery({
    queryKey: recordKey(info.name, id),
    // Reads the record each time a form opens, so edits start from current values.
    gcTime: 0,
    queryFn: async (): Promise<FormValues> =>
      id === 'new'
        ? { ...(await callKw<FormValues>(info.name, 'default_get', [fieldsToRead(info)])), ...defaults }
        : readRecord(info, id),
  }).data;
}

/** Query key of a record's form values. */
export function recordKey(model: string, id: number | 'new') {
  return [...keys.records(model), 'form', id] as const;
}

/** Reads a record's form values. Throws if the record doesn't exist. */
export async function readRecord(info: ModelInfo, id: number): Promise<FormValues> {
  const [[row], [nameRow]] = await Promise.all([
    readRecords(info.name, [id], fieldsToRead(info)),
    callKw<readonly (readonly [number, string])[]>(info.name, 'name_get', [[id]]),
  ]);
  if (row) return { ...row, display_name: nameRow?.[1] ?? '' };
  throw new RpcError(404, t('Not found'), t('This record was deleted, or you don’t have access to it.'), null, {
    reason: 'web.no_record',
  });
}
