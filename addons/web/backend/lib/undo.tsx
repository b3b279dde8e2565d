import { useQueryClient } from '@tanstack/react-query';
import { notify, t } from 'pergola/browser';
import type { ModelInfo } from '../types.ts';
import { callRoute } from './call-route.ts';
import { useTrouble } from './trouble.tsx';

/** Returns a function that shows a message for a change, with a button to undo it if its model can. */
export function useDoneMessage(): (text: string, changeKey: string, of: Pick<ModelInfo, 'undoes'>) => void {
  const client = useQueryClient();
  const report = useTrouble();
  const undo = async (changeKey: string): Promise<void> => {
    const { refused, irreversible } = await callRoute('/web/backend/undo', { changeKey });
    await client.invalidateQueries();
    if (refused.length === 0) notify([t('Undone.'), ...irreversible].join(' '));
    else notify(t('Not undone, because it has changed since: {what}', { what: refused.join(', ') }), 'alert');
  };
  return (text, changeKey, { undoes }) =>
    notify(text, 'status', undoes ? { text: t('Undo'), run: () => void undo(changeKey).catch(report) } : undefined);
}
