import { publicMethod } from '@pergola/web';
import { oneCart } from '@pergola/website_sale';
import { defineAddon } from 'pergola';
import { entries } from './account-entries.ts';
import {
  countryEventsBlock,
  countryEventsPart,
  countryEventsSnippet,
  listCountryPart,
} from './blocks/country-events.ts';
import { eventsBlock, eventsSnippet, shownEvents } from './blocks/events.ts';
import { consequences } from './consequences.ts';
import { offerSeatsJob } from './jobs/offer-seats.ts';
import { remindJob } from './jobs/remind.ts';
import { sendTicketsJob } from './jobs/send-tickets.ts';
import { settleTicketsJob } from './jobs/settle-tickets.ts';
import { tellChangesJob } from './jobs/tell-changes.ts';
import {
  cancelledMail,
  changedMail,
  handedOverMail,
  reminderMail,
  ticketsMail,
  waitingChanged,
  waitingClosed,
  waitingJoined,
  waitingOffer,
} from './mails.ts';
import { TicketedCalendar } from './models/calendar-event.ts';
import { EventCancellation } from './models/event-cancellation.ts';
import { EventEvent } from './models/event-event.ts';
import { EventPage } from './models/event-event-page.ts';
import { EventTicket } from './models/event-event-ticket.ts';
import { RefundedEvent } from './models/event-refunds.ts';
import { EventRegistration } from './models/event-registration.ts';
import { EventType } from './models/event-type.ts';
import { EventWaiting } from './models/event-waiting.ts';
import { TicketProduct } from './models/product-template.ts';
import { VenuePartner } from './models/res-partner.ts';
import { TicketOrder } from './models/sale-order.ts';
import { TicketLine, ticketProducts } from './models/sale-order-line.ts';
import { liveNearby } from './pages/country-events.ts';
import { visitorChoices } from './pages/filter.ts';
import { partnerName } from './pages/frame.ts';
import { orderTickets } from './pages/order-tickets.ts';
import { ticketForm } from './pages/ticket-form.ts';
import { questions } from './questions.ts';
import { addEvent } from './routes/add-event.ts';
import { cartUpdate } from './routes/cart.ts';
import { checkIn, checkInEvent, checkInPost } from './routes/check-in.ts';
import { chooseCountry, countryEventList } from './routes/country-events.ts';
import { event, eventPage, register } from './routes/event.ts';
import { ics, ticketIcs } from './routes/ics.ts';
import { list, listPages } from './routes/list.ts';
import { ticketRoutes } from './routes/tickets.ts';
import { joinList, leaveList, takeOffer, waitingPage } from './routes/waiting.ts';
import { groups, lists, rules } from './security.ts';
import { Attendees } from './services/attendees.ts';
import { EventCancellations } from './services/event-cancellations.ts';
import { WrittenDates } from './services/event-dates.ts';
import { limitedSeats } from './services/limited-seats.ts';
import { places } from './services/places.ts';
import { searchedEvents } from './services/searched-events.ts';
import { Seats, takenSeats } from './services/seats.ts';
import { TicketDeliveries } from './services/ticket-delivery.ts';
import { TicketDocument } from './services/ticket-document.ts';
import { TicketRequests } from './services/ticket-requests.ts';
import { sales, TicketSales } from './services/ticket-sales.ts';
import { countryHeader, eventCountryAttribute, liveCountries } from './services/visitor-country.ts';
import { WaitingList } from './services/waiting-list.ts';
import { WaitingMails } from './services/waiting-mails.ts';
import { WaitingOffers } from './services/waiting-offers.ts';
import { offerHours, reminderHours, ticketsPerOrder } from './settings.ts';
import { buyTickets } from './tours/buy-tickets.ts';
import { menus, views } from './views.ts';
import { widgets } from './widgets.ts';

export default defineAddon({
  name: 'website_event',
  title: 'Events',
  summary: 'Events with tickets, seats, waiting lists and check-in',
  version: '1.6.0',
  category: 'Website',
  icon: 'calendar-event',
  depends: ['website_sale'],
  consequences,
  models: [
    EventType,
    EventEvent,
    RefundedEvent,
    EventPage,
    EventTicket,
    EventRegistration,
    EventWaiting,
    EventCancellation,
    TicketProduct,
    TicketLine,
    TicketOrder,
    TicketedCalendar,
    VenuePartner,
  ],
  // Both routes can create a cart, like adding tickets to one.
  routeExtensions: oneCart(['website_event.cart_update', 'website_event.take_offer']),
  routes: [
    list,
    listPages,
    event,
    register,
    eventPage,
    ics,
    ticketIcs,
    cartUpdate,
    addEvent,
    countryEventList,
    chooseCountry,
    joinList,
    waitingPage,
    takeOffer,
    leaveList,
    ticketRoutes,
    checkIn,
    checkInEvent,
    checkInPost,
  ],
  groups,
  access: lists,
  rules,
  views,
  menus,
  widgets,
  accountEntries: entries,
  jobs: [sendTicketsJob, offerSeatsJob, remindJob, tellChangesJob, settleTicketsJob],
  mails: [
    waitingJoined,
    waitingOffer,
    waitingChanged,
    waitingClosed,
    ticketsMail,
    cancelledMail,
    handedOverMail,
    reminderMail,
    changedMail,
  ],
  questions,
  settings: [countryHeader, offerHours, reminderHours, ticketsPerOrder],
  blocks: [countryEventsBlock, eventsBlock],
  services: [
    liveCountries,
    liveNearby,
    visitorChoices,
    WrittenDates,
    sales.service,
    takenSeats.service,
    places.service,
    shownEvents.service,
    partnerName.service,
    ticketProducts.service,
    Seats,
    EventCancellations,
    WaitingMails,
    WaitingOffers,
    WaitingList,
    TicketSales,
    TicketRequests,
    Attendees,
    TicketDeliveries,
    TicketDocument,
  ],
  requestAttributes: [eventCountryAttribute],
  fragments: [ticketForm, countryEventsPart, listCountryPart, orderTickets],
  cartPages: ['/event/*'],
  tours: [buyTickets],
  snippets: [...countryEventsSnippet, ...eventsSnippet],
  searchables: [searchedEvents],
  limitedResources: limitedSeats,
  publicTemplates: [countryEventsBlock.template],
  publicMethods: [
    publicMethod(EventEvent, 'button_confirm', { right: 'write', writes: true, mails: true }),
    publicMethod(EventEvent, 'button_done', { right: 'write', writes: true }),
    publicMethod(EventEvent, 'button_draft', { right: 'write', writes: true, mails: true }),
    publicMethod(EventEvent, 'button_cancel', { right: 'write', writes: true, mails: true }),
    publicMethod(RefundedEvent, 'button_refund', { right: 'write', writes: true, mails: true }),
    publicMethod(EventRegistration, 'registration_open', { right: 'write', writes: true, mails: true }),
    publicMethod(EventRegistration, 'button_reg_close', { right: 'read', writes: true }),
    publicMethod(EventRegistration, 'undo_check_in', { right: 'read', writes: true }),
    publicMethod(EventRegistration, 'button_reg_cancel', { right: 'write', writes: true, mails: true }),
    publicMethod(EventRegistration, 'do_draft', { right: 'write', writes: true, mails: true }),
    publicMethod(EventRegistration, 'resend_tickets', { right: 'write', writes: true, mails: true }),
  ],
});
