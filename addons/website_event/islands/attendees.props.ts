import { z } from 'zod';

const seat = z.object({
  /** Prefix of the attendee's field names. */
  key: z.string(),
  number: z.number(),
  name: z.string(),
  email: z.string(),
  /** Whether the ticket is for the buyer. */
  same: z.boolean(),
  nameError: z.string().nullable(),
  emailError: z.string().nullable(),
});
export type Seat = z.infer<typeof seat>;

const ticket = z.object({ title: z.string(), seats: z.array(seat) });
export type Ticket = z.infer<typeof ticket>;

export default z.object({ tickets: z.array(ticket) });
