import { Attachment } from '@pergola/base';
import { extend, f, type Id, type Ids } from 'pergola';
import { fileAddress, isRaster, pictureAddress } from '../media/addresses.ts';
import { findUses, type Use } from '../media/usage.ts';

/** Records that still use attachments, in the format of the original's clients. */
export type UsedBy = Readonly<Record<string, readonly Pick<Use, 'id' | 'name' | 'website_url'>[]>>;

/** Adds the website URLs of attachments, and prevents deletion while a page uses them. */
export const WebsiteAttachment = extend(
  Attachment,
  {
    website_file: f.boolean({ index: true, label: 'Website file', help: 'Shown in the file picker' }),
    website_url: f.char({ compute: 'websiteUrls', label: 'Address' }),
    website_file_url: f.char({ compute: 'websiteFileUrls', label: 'Download address' }),
    website_file_count: f.integer({ compute: 'websiteFileCounts', label: 'Uses' }),
  },
  (Base) =>
    class extends Base {
      /** Display URL of each attachment: its source URL, otherwise the image URL or the file URL. */
      async websiteUrls(ids: Ids): Promise<Map<Id, string | null>> {
        const rows = await this.read(ids, {
          select: { type: true, url: true, datas: true, name: true, datas_fname: true },
        });
        return new Map(
          rows.map(({ id, type, url, datas, name, datas_fname }) => {
            if (type === 'url') return [id, url];
            if (!datas) return [id, null];
            return [id, isRaster(datas) ? pictureAddress(id, datas.hash) : fileAddress(id, datas_fname ?? name)];
          }),
        );
      }

      /** Download URL of each file. */
      async websiteFileUrls(ids: Ids): Promise<Map<Id, string | null>> {
        const rows = await this.read(ids, { select: { type: true, url: true, name: true, datas_fname: true } });
        return new Map(
          rows.map(({ id, type, url, name, datas_fname }) => [
            id,
            type === 'url' ? url : fileAddress(id, datas_fname ?? name),
          ]),
        );
      }

      /** Number of records that use each attachment. */
      async websiteFileCounts(ids: Ids): Promise<Map<Id, number>> {
        const uses = await findUses(this.ctx, ids);
        return new Map(ids.map((id) => [id, uses.get(id)?.length ?? 0]));
      }

      /**
       * Deletes unused attachments.
       *
       * @returns `{ <id>: [{ id, name, website_url }…] }` for attachments still in use, which are kept; empty if all were deleted.
       */
      async try_remove(ids: Ids): Promise<UsedBy> {
        const uses = await findUses(this.ctx, ids);
        const free = ids.filter((id) => (uses.get(id)?.length ?? 0) === 0);
        await this.unlink(free);
        return Object.fromEntries(
          ids
            .filter((id) => !free.includes(id))
            .map((id) => [
              String(id),
              (uses.get(id) ?? []).map(({ id: user, name, website_url }) => ({ id: user, name, website_url })),
            ]),
        );
      }

      /** Same for files of the file picker; skips other attachments. */
      async try_remove_file(ids: Ids): Promise<UsedBy> {
        const files = await this.search([
          ['id', 'in', ids],
          ['website_file', '=', true],
        ]);
        return this.try_remove(files);
      }
    },
);
