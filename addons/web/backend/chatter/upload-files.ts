import { notify, t } from 'pergola/browser';
import { base64Of, MAX_BYTES } from '../form/inputs/read-file.ts';
import { formatNumber } from '../lib/format.ts';
import { type ThreadOf, uploadFile } from './calls.ts';

/**
 * Uploads files one after another and returns their ids. If `thread` is null, they stay unattached. Skips files that are too large and
 * reports them to the user.
 */
export async function uploadFiles(uploads: readonly File[], thread: ThreadOf | null): Promise<number[]> {
  const ids: number[] = [];
  for (const file of uploads) {
    if (file.size > MAX_BYTES) {
      const size = formatNumber(MAX_BYTES / 1e6);
      notify(t('{name} is too large. The limit is {size} MB.', { name: file.name, size }), 'alert');
    } else ids.push(await uploadFile(file.name, await base64Of(file), thread));
  }
  return ids;
}
