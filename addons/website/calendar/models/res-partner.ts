import { extend, f } from 'pergola';
import { Partner } from '#addons/base';
import type { PublicPicture } from '#addons/web';

/** Lets contacts choose whether website calendars may show their name. */
export const CalendarPartner = extend(Partner, {
  calendar_public: f.boolean({
    label: 'Named in public calendars',
    help: 'Only with the agreement of the person',
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
