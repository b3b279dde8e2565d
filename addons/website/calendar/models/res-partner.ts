import { Partner } from '#addons/base';
import { extend, f } from '#core';

/** Contacts say whether calendars on the website may name them. */
export const CalendarPartner = extend(Partner, {
  calendar_public: f.boolean({
    label: 'Named in public calendars',
    help: 'Only with the agreement of the person',
  }),
});
