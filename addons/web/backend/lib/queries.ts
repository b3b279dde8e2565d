import { QueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { ModelInfo } from '../types.ts';
import { fetchModel } from './calls.ts';

/** Record data is stale immediately, because other users change it, too. Queries don't refetch on their own while the user types. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 0, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });
}

/** Query keys. All queries about a model's records start with `records, model`, so that one call invalidates them. */
export const keys = {
  model: (model: string) => ['model', model] as const,
  records: (model: string) => ['records', model] as const,
  list: (model: string, options: unknown) => ['records', model, 'list', options] as const,
  lines: (model: string, ids: readonly number[], fields: readonly string[]) =>
    ['records', model, 'lines', ids, fields] as const,
  record: (model: string, id: number) => ['records', model, 'record', id] as const,
};

/** Returns a model's fields, views and rights; suspends until they have loaded. */
export function useModel(model: string): ModelInfo {
  return useSuspenseQuery({ queryKey: keys.model(model), queryFn: () => fetchModel(model), staleTime: 5 * 60_000 })
    .data;
}
