import { beside } from '@pergola/website';
import { type FieldsOf, f, type Ids, InvalidInput, model, slugify, type Values } from 'pergola';

/** Reserved names of pages that every event has; they are generated from the event itself. */
const builtInPages = ['introduction', 'location'] as const;

/** A page about an event in addition to its introduction, place and tickets, such as the programme, speakers or directions. */
export class EventPage extends model(
  'event.event.page',
  {
    event_id: f.many2one('event.event', { required: true, ondelete: 'cascade', index: true }),
    name: f.char({ required: true, translate: true, size: 80, label: 'Title' }),
    path: f.char({
      required: true,
      size: 80,
      normalize: slugify,
      label: 'Address',
      help: 'End of the page’s address, for example: programme',
    }),
    content: f.html({ translate: true, sanitize: 'page' }),
    sequence: f.integer({ default: 10 }),
  },
  {
    order: 'sequence, id',
    label: 'Event page',
    unique: [{ fields: ['event_id', 'path'], message: 'This event already has a page at this address.' }],
  },
) {
  /** Derives a missing slug from the title. */
  override async beforeCreate(
    values: readonly Values<FieldsOf<EventPage>>[],
  ): Promise<readonly Values<FieldsOf<EventPage>>[]> {
    return super.beforeCreate(
      values.map((value) => ({ ...value, path: slugify(String(value.path || titleOf(value.name))) || 'page' })),
    );
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (!changed.has('path')) return;
    for (const { path } of await this.read(ids, { select: { path: true } })) {
      if (path !== '' && !(builtInPages as readonly string[]).includes(path)) continue;
      const refusal = new InvalidInput('Every event already has a page at this address. Choose another one.', {
        code: 'website_event.page_taken',
      });
      throw beside('path', refusal);
    }
  }
}

/** Returns the title from new values, in any language. */
function titleOf(name: unknown): string {
  if (typeof name === 'string') return name;
  return name instanceof Object ? String(Object.values(name)[0] ?? '') : '';
}

declare module 'pergola' {
  interface Models {
    'event.event.page': EventPage;
  }
}
