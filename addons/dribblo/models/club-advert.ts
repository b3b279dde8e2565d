import { MultiWebsite } from '@pergola/website';
import { f, type Ids, InvalidInput, model } from 'pergola';
import { mark } from '../texts.ts';

/** A sponsor's image, shown in a zone of the pages during its run. */
export class Advert extends model(
  'club.advert',
  {
    name: f.char({
      required: true,
      size: 120,
      label: 'Sponsor',
      help: 'Alternative text for screen readers',
    }),
    zone: f.char({
      required: true,
      size: 40,
      default: 'main',
      index: true,
      help: 'Each block shows the adverts in one zone',
    }),
    image: f.image({ required: true, label: 'Image' }),
    link: f.char({ size: 1024, label: 'Link', help: 'https://…' }),
    date_from: f.date({ label: 'From', index: true }),
    date_to: f.date({ label: 'To', help: 'Last day shown', index: true }),
    sequence: f.integer({ default: 10 }),
    active: f.boolean({ default: true }),
  },
  { order: 'sequence, id', label: 'Advert', mixins: [MultiWebsite] },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { link, date_from, date_to } of await this.read(ids, {
      select: { link: true, date_from: true, date_to: true },
    })) {
      if (link && !isAddress(link)) throw fieldError('link', mark('Enter a full web address starting with https://.'));
      if (date_from && date_to && date_to < date_from)
        throw fieldError('date_to', mark('The last day can’t be before the first.'));
    }
  }
}

/** Whether a link is safe: a web URL, or a path of this site. */
function isAddress(link: string): boolean {
  if (/^\/(?![/\\])/.test(link)) return true;
  const { protocol, username } = URL.parse(link) ?? { protocol: '', username: '' };
  return (protocol === 'https:' || protocol === 'http:') && username === '';
}

function fieldError(field: string, message: string): InvalidInput {
  return new InvalidInput(message, { code: 'dribblo.bad_advert', fields: { [field]: message } });
}

declare module 'pergola' {
  interface Models {
    'club.advert': Advert;
  }
}
