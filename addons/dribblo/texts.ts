import { texts } from 'pergola';

export const { t, plural } = texts('dribblo');

/** Marks a text that is translated when it is shown: in a table, or in an error that is made from it. */
export function mark(text: string): string {
  return text;
}
