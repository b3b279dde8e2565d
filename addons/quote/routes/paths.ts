import type { Id } from 'pergola';

/** Returns the path of the customer's page. */
export function quotePath(id: Id, token: string): string {
  return `/quote/${id}/${token}`;
}
