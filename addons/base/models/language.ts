import { Conflict, type FieldsOf, f, type Ids, InvalidInput, model, type Values } from 'pergola';

/** A display language of the site. */
export class Language extends model(
  'res.lang',
  {
    name: f.char({ required: true }),
    code: f.char({ required: true, unique: true, size: 10, help: 'Locale code, such as en_US' }),
    url_code: f.char({
      required: true,
      unique: true,
      size: 10,
      label: 'URL code',
      help: 'Used in page addresses, such as /fr',
    }),
    active: f.boolean({ default: true, label: 'Enabled' }),
    sequence: f.integer({
      default: 10,
      label: 'Sequence',
      help: 'Visitors see the default language of the website first, then the others, lowest number first',
    }),
  },
  { order: 'sequence, name', label: 'Language' },
) {
  override async beforeWrite(ids: Ids, values: Values<FieldsOf<Language>>): Promise<Values<FieldsOf<Language>>> {
    if (values.active === false) await this.#keepOne(ids);
    return super.beforeWrite(ids, values);
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { code, url_code } of await this.read(ids, { select: { code: true, url_code: true } })) {
      if (!/^[a-z]{2,3}(_[A-Z]{2})?$/.test(code)) throw badCode('code');
      if (!/^[a-z]{2,3}([-_][A-Za-z]{2})?$/.test(url_code)) throw badCode('url_code');
    }
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    await this.#keepOne(ids);
    await super.beforeUnlink(ids);
  }

  /** Makes the language available to users. */
  async switch_on(ids: Ids): Promise<void> {
    await this.write(ids, { active: true });
  }

  /** Makes the language unavailable; its translations are kept. */
  async switch_off(ids: Ids): Promise<void> {
    await this.write(ids, { active: false });
  }

  async #keepOne(excludedIds: Ids): Promise<void> {
    const languages = await this.search([['active', 'in', [true, false]]]);
    const remainingLanguages = [
      ['active', '=', true],
      ['id', 'not in', excludedIds],
    ] as const;
    const activeCount = await this.invariant(Language, languages, () => this.count(remainingLanguages, { most: 1 }));
    if (activeCount === 0)
      throw new Conflict('At least one language must stay enabled. Enable another one first.', {
        code: 'base.last_language',
      });
  }
}

function badCode(field: 'code' | 'url_code'): InvalidInput {
  const message = 'Write language codes like fr_FR, and URL codes like fr or fr-CA.';
  return new InvalidInput(message, { code: 'base.bad_language_code', fields: { [field]: message } });
}

declare module 'pergola' {
  interface Models {
    'res.lang': Language;
  }
}
