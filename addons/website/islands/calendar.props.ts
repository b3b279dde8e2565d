import { z } from 'zod';

/** Calendar with its upcoming events. */
export default z.object({
  contact: z.number().nullable(),
  view: z.enum(['month', 'agendaWeek', 'agendaDay']),
  coming: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      start: z.string(),
      day: z.string(),
      month: z.string(),
      when: z.string(),
      timezone: z.string().nullable(),
      zone: z.string().nullable(),
      color: z.number(),
      location: z.string().nullable(),
      url: z.string().nullable(),
    }),
  ),
});
