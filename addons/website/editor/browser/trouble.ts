import { RpcError, t } from 'pergola/browser';

/** User-facing description of a failed call. */
export interface Trouble {
  readonly title: string;
  readonly message: string;
}

export function troubleOf(error: unknown): Trouble {
  if (error instanceof RpcError) return { title: error.title, message: error.message };
  return { title: t('Something went wrong'), message: error instanceof Error ? error.message : String(error) };
}
