import { f, type Ids, InvalidInput, model } from 'pergola';

/** A football season with its first and last day. */
export class Season extends model(
  'club.season',
  {
    name: f.char({ required: true, size: 40 }),
    date_start: f.date({ required: true, label: 'First day' }),
    date_end: f.date({ required: true, label: 'Last day' }),
  },
  { order: 'date_start desc, id desc', label: 'Season' },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { date_start, date_end } of await this.read(ids, { select: { date_start: true, date_end: true } })) {
      if (date_end >= date_start) continue;
      const message = 'A season can’t end before it starts.';
      throw new InvalidInput(message, { code: 'dribblo.season_ends_first', fields: { date_end: message } });
    }
  }
}

declare module 'pergola' {
  interface Models {
    'club.season': Season;
  }
}
