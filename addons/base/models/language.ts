import { f, model } from '#core';

/** A language the site can be shown in. */
export class Language extends model(
  'res.lang',
  {
    name: f.char({ required: true }),
    code: f.char({ required: true, unique: true, size: 10, help: 'Locale code, en_US' }),
    url_code: f.char({
      required: true,
      unique: true,
      size: 10,
      label: 'Code in addresses',
      help: 'Used in addresses, /fr',
    }),
    active: f.boolean({ default: true }),
    sequence: f.integer({ default: 10 }),
  },
  { order: 'sequence, name', label: 'Language' },
) {}

declare module '#core' {
  interface Models {
    'res.lang': Language;
  }
}
