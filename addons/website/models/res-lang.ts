import { Language } from '@pergola/base';
import { Conflict, extend, type Ids } from 'pergola';
import { Website } from './website.ts';

/** Prevents disabling the default language of a website. */
export const WebsiteLanguage = extend(
  Language,
  {},
  (Base) =>
    class extends Base {
      override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
        await super.validate(ids, changed);
        if (!changed.has('active')) return;
        // Locks the languages, as websites do when they change their default language.
        const [site] = await this.invariant(Language, ids, () =>
          this.ctx.model(Website).find(
            [
              ['default_lang_id', 'in', ids],
              ['default_lang_id.active', '=', false],
            ],
            { select: { name: true, default_lang_id: { name: true } }, limit: 1 },
          ),
        );
        if (site)
          throw new Conflict('“{language}” is the default language of “{site}”. Choose another one there first.', {
            code: 'website.default_language',
            params: { language: site.default_lang_id?.name ?? '', site: site.name },
          });
      }
    },
);
