import { Attachment } from '#addons/base';
import { type Ctx, type Id, type Ids, InvalidInput } from '#core';
import type { OutgoingMail } from '#core/mail';
import { Mailing } from '../models/mailing.ts';

/** Most files of a mailing, and most bytes of all of them: what mail servers take without a word. */
const MOST_FILES = 10;
const MOST_MEGABYTES = 10;

/**
 * Makes the files of mailings their own: files that were only uploaded belong to them from now on, and those of another record (a mailing that this
 * one is a copy of) are copied, so that deleting that one takes nothing away.
 *
 * @throws InvalidInput for more than mail servers take
 */
export async function takeFiles(ctx: Ctx, ids: Ids): Promise<void> {
  const rows = await ctx.model(Mailing).read(ids, {
    select: { attachment_ids: { name: true, datas: true, file_size: true, res_model: true, res_id: true } },
  });
  for (const { id, attachment_ids: files } of rows) {
    const bytes = files.reduce((sum, { file_size }) => sum + (file_size ?? 0), 0);
    if (files.length > MOST_FILES || bytes > MOST_MEGABYTES * 1_000_000) {
      const message = ctx.t('At most {files} files of {size} MB together go with a mail.', {
        files: MOST_FILES,
        size: MOST_MEGABYTES,
      });
      throw new InvalidInput(message, { code: 'mass_mailing.too_many_files', fields: { attachment_ids: message } });
    }
    const own = { res_model: Mailing.modelName, res_id: id };
    const loose = files.filter(({ res_model }) => !res_model);
    if (loose.length > 0)
      await ctx.model(Attachment).write(
        loose.map((file) => file.id),
        own,
      );
    const foreign = files.filter(
      ({ res_model, res_id }) => res_model && !(res_model === own.res_model && res_id === id),
    );
    if (foreign.length === 0) continue;
    const copies = await ctx.model(Attachment).create(foreign.map(({ name, datas }) => ({ name, datas, ...own })));
    const kept = files.filter((file) => !foreign.includes(file)).map((file) => file.id);
    await ctx.model(Mailing).write(id, { attachment_ids: [...kept, ...copies] });
  }
}

/** The files of a mailing as mails carry them; read once for all recipients. */
export async function filesOf(ctx: Ctx, mailing: Id): Promise<NonNullable<OutgoingMail['attachments']>> {
  const { attachment_ids: files } = await ctx.model(Mailing).get(mailing, {
    select: { attachment_ids: { name: true, datas: true } },
  });
  const read = await Promise.all(
    files.map(async ({ name, datas }) => {
      const content = datas && (await ctx.files.get(datas.hash));
      return content ? [{ name, mimetype: datas.mimetype, content }] : [];
    }),
  );
  return read.flat();
}
