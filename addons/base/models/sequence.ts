import { f, model, NotFound } from 'pergola';
import { isPreview } from 'pergola/orm';

/** Gapless numbering, such as order and invoice numbers. */
export class Sequence extends model(
  'ir.sequence',
  {
    name: f.char({ required: true }),
    code: f.char({ required: true, unique: true }),
    prefix: f.char({ help: 'Use {year}, {month} and {day} for the date' }),
    suffix: f.char(),
    padding: f.integer({ default: 5, min: 0, max: 20, label: 'Digits' }),
    // Numbers are never assigned twice, so undoing leaves gaps.
    number_next: f.integer({ default: 1, min: 1, label: 'Next number', undo: false }),
    number_increment: f.integer({ default: 1, min: 1, label: 'Step' }),
  },
  { order: 'code', label: 'Sequence' },
) {
  /**
   * Returns the next number of a sequence, `SO00001`. Takes a lock in the caller's transaction: rolled back with it, and never assigned
   * twice. Previews (`preview`) get no number.
   *
   * @throws NotFound if no sequence has the code
   */
  async next(code: string): Promise<string> {
    if (isPreview(this.ctx)) return '';
    // Any action that needs a number gets one, regardless of the caller's access to sequences.
    const all = this.ctx.sudo().model(Sequence);
    const [id] = await all.search([['code', '=', code]]);
    if (id === undefined) throw new NotFound(`There is no sequence "${code}".`, { code: 'base.no_sequence' });
    await this.ctx.lock(Sequence, [id]);
    const row = await all.get(id, {
      select: { prefix: true, suffix: true, padding: true, number_next: true, number_increment: true },
    });
    const number = row.number_next ?? 1;
    await all.write(id, { number_next: number + (row.number_increment ?? 1) });
    const digits = String(number).padStart(row.padding ?? 0, '0');
    return `${fill(row.prefix, this.ctx.now())}${digits}${fill(row.suffix, this.ctx.now())}`;
  }
}

function fill(pattern: string | null, now: Date): string {
  const [year = '', month = '', day = ''] = now.toISOString().slice(0, 10).split('-');
  return (pattern ?? '').replaceAll('{year}', year).replaceAll('{month}', month).replaceAll('{day}', day);
}

declare module 'pergola' {
  interface Models {
    'ir.sequence': Sequence;
  }
}
