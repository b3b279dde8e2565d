/** Public API of website_event for other addons. */
export { EventEvent } from './models/event-event.ts';
export { EventTicket } from './models/event-event-ticket.ts';
export { EventRegistration } from './models/event-registration.ts';
export { EventType } from './models/event-type.ts';
export { TicketLine } from './models/sale-order-line.ts';
export { type EventSeats, Seats, type TakenSeats } from './services/seats.ts';
