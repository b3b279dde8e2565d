import { TextDecoder, TextEncoder } from 'node:util';
import { jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { Suspense } from 'react';
import { createQueryClient } from '../../lib/queries.ts';
import { StartProvider } from '../../lib/start.tsx';
import { TroubleProvider } from '../../lib/trouble.tsx';
import { ListMemoryProvider } from '../../shell/list-memory.tsx';
import type { FieldInfo, FormItemInfo, ModelInfo, Start } from '../../types.ts';

/** A field as sent by the server; a line of text by default. */
export function field(name: string, about: Partial<FieldInfo> = {}): FieldInfo {
  return {
    name,
    kind: 'char',
    label: name,
    help: '',
    required: false,
    readonly: false,
    readonlyWhen: null,
    requiredWhen: null,
    hiddenWhen: null,
    store: true,
    sortable: true,
    groupable: true,
    searchable: true,
    translate: false,
    tracked: false,
    selection: [],
    colors: {},
    relation: null,
    relationField: null,
    domain: [],
    within: {},
    currencyField: null,
    timezoneField: null,
    dayField: null,
    size: null,
    percentage: null,
    places: null,
    min: null,
    max: null,
    maxBytes: null,
    ...about,
  };
}

/** An item of a form's view. */
export function item(name: string, about: Partial<FormItemInfo> = {}): FormItemInfo {
  return {
    field: name,
    label: null,
    widget: null,
    when: null,
    columns: null,
    wide: false,
    ...about,
  };
}

/** A model whose form shows its fields in one section. */
export function model(name: string, fields: readonly FieldInfo[], about: Partial<ModelInfo> = {}): ModelInfo {
  return {
    name,
    label: name,
    nameField: 'name',
    archives: false,
    appendOnly: false,
    fullText: false,
    may: { read: true, write: true, create: true, unlink: true },
    mixins: [],
    fields: Object.fromEntries(fields.map((one) => [one.name, one])),
    methods: [],
    asksAbout: [],
    list: { columns: [], order: 'id', editable: false },
    form: {
      title: null,
      image: null,
      status: null,
      buttons: [],
      documents: [],
      hasCounts: false,
      sections: [{ label: null, items: fields.map(({ name: one }) => item(one)), totals: false }],
      tabs: [],
    },
    kanban: null,
    calendar: null,
    graph: { chart: 'bar', measure: '__count', groupBy: [], stacked: true },
    pivot: { rows: [], columns: [], measures: ['__count'] },
    search: { fields: [], filters: [], groups: [] },
    ...about,
  } as ModelInfo;
}

/** A recorded call: last segment of its path, and its parameters. */
export interface MadeCall {
  readonly path: string;
  readonly params: Record<string, unknown>;
}

/** Mocks calls by the last segment of their path (`read`, `save`). A function may throw the server's field errors. */
export function serve(answers: Readonly<Record<string, (params: never) => unknown>>): MadeCall[] {
  const made: MadeCall[] = [];
  globalThis.fetch = jest.fn(async (input: unknown, init?: RequestInit) => {
    const path = String(input).split('/').at(-1) ?? '';
    const body = String(init?.body ?? '{}');
    // The page that sends a call is covered by the tests of the calls.
    const { params } = JSON.parse(body, (key, value) => (key === 'context' ? undefined : value)) as { params: never };
    made.push({ path, params });
    const answer = answers[path];
    try {
      if (!answer) throw new Error(`nothing answers ${String(input)}`);
      return json({ result: await answer(params) });
    } catch (error) {
      const fields = error instanceof FieldFaults ? error.fields : {};
      const text = error instanceof Error ? error.message : String(error);
      return json({
        error: { code: 200, message: text, data: { arguments: ['Refused', text], message: text, code: 'x', fields } },
      });
    }
  }) as unknown as typeof fetch;
  return made;
}

/** Field errors returned by the server. */
export class FieldFaults extends Error {
  readonly fields: Readonly<Record<string, string>>;
  constructor(fields: Readonly<Record<string, string>>) {
    super('Something does not fit.');
    this.fields = fields;
  }
}

function json(value: unknown): Response {
  return { ok: true, status: 200, json: async () => value } as Response;
}

/** Start data of the backend: an administrator in Paris. */
export const start: Start = {
  user: { id: 1, partnerId: 1, name: 'Ada', login: 'ada', timezone: 'Europe/Paris', isAdmin: true, groups: [] },
  lang: 'en_US',
  siteTimezone: 'Europe/Paris',
  keepsMails: false,
  languages: [
    { code: 'en_US', name: 'English' },
    { code: 'fr_FR', name: 'Français' },
  ],
  currencies: {
    EUR: { digits: 2, before: '', after: '\u00a0€' },
    USD: { digits: 2, before: '$', after: '' },
  },
  menus: [],
  preferences: {},
};

/** Renders the form's screen at an address, as the backend does. */
export async function draw(address: string, { keepsMails = false }: { keepsMails?: boolean } = {}) {
  // The router needs the polyfills of `fillGaps`.
  const { createMemoryRouter, RouterProvider } = await import('react-router');
  const { FormScreen } = await import('../form-screen.tsx');
  const { RecordDialogProvider } = await import('../../fields/making.tsx');
  const { RecordDialog } = await import('../record-dialog.tsx');
  const router = createMemoryRouter(
    [
      {
        path: '*',
        children: [
          {
            path: 'web/m/:model/:id',
            element: (
              <ListMemoryProvider>
                <Suspense fallback="…">
                  <FormScreen />
                </Suspense>
              </ListMemoryProvider>
            ),
          },
          { path: '*', element: <p>Elsewhere</p> },
        ],
      },
    ],
    { initialEntries: [address] },
  );
  render(
    <StartProvider start={{ ...start, keepsMails }}>
      <QueryClientProvider client={createQueryClient()}>
        <TroubleProvider>
          <RecordDialogProvider value={RecordDialog}>
            <RouterProvider router={router} />
          </RecordDialogProvider>
        </TroubleProvider>
      </QueryClientProvider>
    </StartProvider>,
  );
  return router;
}

/** Polyfills missing in jsdom. */
export function fillGaps(): void {
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
    close(this: HTMLDialogElement) {
      this.open = false;
      this.dispatchEvent(new Event('close'));
    },
  });
  /** The part of Request that the router needs. */
  class Request {
    readonly method = 'GET';
    readonly url: string;
    readonly signal: AbortSignal | undefined;
    constructor(url: string | URL, init: { signal?: AbortSignal } = {}) {
      this.url = String(url);
      this.signal = init.signal;
    }
  }
  Object.assign(globalThis, {
    Request,
    TextEncoder,
    TextDecoder,
    CSS: { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&') },
  });
  URL.parse ??= (url: string | URL, base?: string | URL) => (URL.canParse(url, base) ? new URL(url, base) : null);
}
