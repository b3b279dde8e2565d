import { extend, f } from 'pergola';
import { Partner } from '#addons/base';
import type { PublicPicture } from '#addons/web';

/** Contacts say whether calendars on the website may name them. */
export const CalendarPartner = extend(Partner, {
  calendar_public: f.boolean({
    label: 'Named in public calendars',
    help: 'Only with the agreement of the person',
  }),
});

/** The faces of those whom calendars name are for everybody, like their names. */
export const calendarFaces: readonly PublicPicture[] = [
  {
    model: 'res.partner',
    field: 'image',
    domain: [['calendar_public', '=', true]],
  },
];
