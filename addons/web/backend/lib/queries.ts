import { QueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { ModelInfo } from '../types.ts';
import { fetchModel } from './calls.ts';

/** What is known of records is stale at once: others work with them too. Nothing is asked again by itself while somebody types. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 0, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });
}

/** Keys of queries. Everything about the records of a model begins with `records, model`, so that one call makes it all stale. */
export const keys = {
  model: (model: string) => ['model', model] as const,
  records: (model: string) => ['records', model] as const,
  list: (model: string, about: unknown) => ['records', model, 'list', about] as const,
  lines: (model: string, ids: readonly number[], fields: readonly string[]) =>
    ['records', model, 'lines', ids, fields] as const,
  record: (model: string, id: number) => ['records', model, 'record', id] as const,
};

/** A model's fields, views and rights; suspends until they are there. */
export function useModel(model: string): ModelInfo {
  return useSuspenseQuery({ queryKey: keys.model(model), queryFn: () => fetchModel(model), staleTime: 5 * 60_000 })
    .data;
}
