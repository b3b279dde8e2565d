import { Partner } from '@pergola/base';
import type { PublicPicture } from '@pergola/web';
import { extend, f } from 'pergola';

/** Lets contacts choose whether website calendars may show their name. */
export const CalendarPartner = extend(Partner, {
  calendar_public: f.boolean({
    label: 'Show name in public calendars',
    help: 'Only with the person’s consent',
  }),
});

/** Images of contacts listed in calendars are public, like their names. */
export const calendarFaces: readonly PublicPicture[] = [
  {
    model: 'res.partner',
    field: 'image',
    domain: [['calendar_public', '=', true]],
  },
];
