import { parse } from 'csv-parse/sync';
import { type Ctx, fold, type Id, InvalidInput } from 'pergola';
import { recordByExternalId } from 'pergola/orm';
import { Country, countryCodesByName } from '#addons/base';
import type { FieldInfo } from '../../../backend/types.ts';
import { mayUseModel } from '../../admin/access.ts';
import { callModel } from '../../rpc/call.ts';
import { refuseError } from './cells.ts';
import { type Cell, textOf } from './table.ts';
import type { Via } from './targets.ts';

/** Finds the records that cells name, under the user's rights; each name is looked up once. */
export class Relations {
  readonly #ctx: Ctx;
  readonly #makeMissing: boolean;
  readonly #known = new Map<string, Id>();
  #countries: ReadonlyMap<string, string> | null = null;
  /** What was looked up or made since the line began. */
  #fresh: string[] = [];

  constructor(ctx: Ctx, makeMissing: boolean) {
    this.#ctx = ctx;
    this.#makeMissing = makeMissing;
  }

  /** A line begins: what was made for those before it stays. */
  begin(): void {
    this.#fresh = [];
  }

  /** The line was undone, and with it the records that were made for it. */
  forgetMade(): void {
    for (const key of this.#fresh) this.#known.delete(key);
    this.#fresh = [];
  }

  /**
   * A cell of a relation as `create` and `write` take it; several records are separated by commas or semicolons, names that
   * contain these are in quotes.
   *
   * @throws InvalidInput when there is no such record, or there are several.
   */
  async value(cell: Cell, field: FieldInfo, via: Via): Promise<unknown> {
    refuseError(cell);
    const text = textOf(cell);
    if (text === '') return field.kind === 'many2one' ? null : [[6, 0, []]];
    if (field.kind === 'many2one') return this.#find(text, field, via);
    const ids: Id[] = [];
    const parts: unknown = parse(text, {
      delimiter: [',', ';'],
      relax_quotes: true,
      relax_column_count: true,
      trim: true,
    });
    for (const part of (parts as string[][]).flat()) {
      if (part !== '') ids.push(await this.#find(part, field, via));
    }
    return [[6, 0, [...new Set(ids)]]];
  }

  async #find(text: string, field: FieldInfo, via: Via): Promise<Id> {
    const key = `${field.relation} ${via} ${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = await this.#search(text, field, via);
    this.#known.set(key, found);
    this.#fresh.push(key);
    return found;
  }

  async #search(text: string, { relation, label }: FieldInfo, via: Via): Promise<Id> {
    const model = relation ?? '';
    const params = { value: text.slice(0, 60), field: label };
    if (via !== 'name') {
      const id = via === '.id' ? Number(text) : await recordByExternalId(this.#ctx, model, text);
      const [allowed] = id ? await this.#ctx.modelNamed(model).allowed([id], 'read') : [];
      if (allowed) return allowed;
      throw new InvalidInput('{field}: there is no record “{value}”.', { code: 'web.import_no_record', params });
    }
    const matches = await this.#byName(model, text);
    const [first] = matches;
    if (first !== undefined && matches.length === 1) return first;
    if (matches.length > 1)
      throw new InvalidInput('{field}: several records are called “{value}”. Name it by its external id.', {
        code: 'web.import_several',
        params,
      });
    if (this.#makeMissing && mayUseModel(this.#ctx, model, 'create')) return this.#make(model, text);
    throw new InvalidInput('{field}: there is no record “{value}”.', { code: 'web.import_no_record', params });
  }

  /** Records with exactly this name, otherwise those that differ in case or accents only, otherwise those with this code. */
  async #byName(model: string, text: string): Promise<Id[]> {
    for (const operator of ['=', '=ilike'] as const) {
      const name = operator === '=' ? text : text.replace(/[%_\\]/g, (sign) => `\\${sign}`);
      const kwargs = { name, operator, limit: 2 };
      const found = await callModel(this.#ctx, { model, method: 'name_search', args: [], kwargs });
      if (Array.isArray(found) && found.length > 0)
        return found.map((one: unknown) => (Array.isArray(one) ? Number(one[0]) : 0));
    }
    return this.#byCode(model, text);
  }

  /** Countries, for example, are often given by their codes, or in a language that the site doesn't have. */
  async #byCode(model: string, text: string): Promise<Id[]> {
    const { code } = this.#ctx.modelNamed(model).fields;
    if (code?.type !== 'char' || code.options.secret || code.options.groups) return [];
    const written = (model === Country.modelName && this.#countryCode(text)) || text;
    const kwargs = { domain: [['code', '=', written]], fields: ['id'], limit: 2 };
    const rows = await callModel(this.#ctx, { model, method: 'search_read', args: [], kwargs });
    return Array.isArray(rows) ? rows.map(({ id }: { id: unknown }) => Number(id)) : [];
  }

  #countryCode(name: string): string | undefined {
    this.#countries ??= countryCodesByName();
    return this.#countries.get(fold(name));
  }

  async #make(model: string, name: string): Promise<Id> {
    const made = await callModel(this.#ctx, { model, method: 'name_create', args: [name], kwargs: {} });
    return Array.isArray(made) ? Number(made[0]) : 0;
  }
}
