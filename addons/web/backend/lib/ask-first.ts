import { confirmDialog, t } from 'pergola/browser';
import type { ModelInfo } from '../types.ts';
import { callRoute } from './call-route.ts';

/**
 * Asks the user the server's questions about values before they are written.
 *
 * @param ids records to write; none for a new record
 * @returns false if the user cancels
 */
export async function askFirst(
  { name, asksAbout }: Pick<ModelInfo, 'name' | 'asksAbout'>,
  ids: readonly number[],
  values: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  if (!asksAbout.some((field) => Object.hasOwn(values, field))) return true;
  const questions = await callRoute('/web/backend/questions', { model: name, ids, values });
  for (const { text, yes } of questions)
    if (!(await confirmDialog(text, { title: yes, yes, no: t('Go back') }))) return false;
  return true;
}

/** The user cancelled a change. */
export class NotConfirmed extends Error {}

/**
 * Same as `askFirst`, but throws if the user cancels.
 *
 * @throws NotConfirmed
 */
export async function confirmWrite(
  info: Pick<ModelInfo, 'name' | 'asksAbout'>,
  ids: readonly number[],
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!(await askFirst(info, ids, values))) throw new NotConfirmed();
}
