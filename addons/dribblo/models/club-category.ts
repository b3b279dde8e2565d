import { f, model } from 'pergola';

/** An age group, from U7 to Seniors. */
export class Category extends model(
  'club.category',
  {
    name: f.char({ required: true, size: 40, translate: true }),
    sequence: f.integer({ default: 10 }),
    age_limit: f.integer({ min: 4, max: 99, label: 'Younger than', help: 'Age in years; leave empty for adults' }),
    team_ids: f.one2many('club.team', 'category_id', { label: 'Teams' }),
  },
  { order: 'sequence, name, id', label: 'Category', unique: [{ fields: ['name'] }] },
) {}

declare module 'pergola' {
  interface Models {
    'club.category': Category;
  }
}
