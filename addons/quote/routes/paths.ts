import type { Id } from 'pergola';

/** Where the customer reads a quotation. */
export function quotePath(id: Id, token: string): string {
  return `/quote/${id}/${token}`;
}
