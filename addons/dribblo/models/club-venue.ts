import { f, model } from 'pergola';

/** A venue for matches. */
export class Venue extends model(
  'club.venue',
  {
    name: f.char({ required: true, size: 120 }),
    street: f.char(),
    zip: f.char({ size: 24, label: 'Postal code' }),
    city: f.char(),
    surface: f.selection({ grass: 'Grass', artificial: 'Artificial turf', dirt: 'Dirt', indoor: 'Indoor' }),
    note: f.text({ translate: true, label: 'Directions', help: 'Parking, changing rooms, entrance' }),
  },
  { order: 'name, id', label: 'Ground', search: ['name', 'city'] },
) {}

declare module 'pergola' {
  interface Models {
    'club.venue': Venue;
  }
}
