import type { FieldInfo, ModelInfo } from '../../types.ts';
import { changedValues, isSame, type Lines, lineCommands, seenValues, typedSince } from '../values.ts';

const field = (name: string, about: Partial<FieldInfo>): FieldInfo => ({
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
});
const fields = {
  name: field('name', {}),
  number: field('number', { readonly: true }),
  partner_id: field('partner_id', { kind: 'many2one', relation: 'res.partner' }),
  tag_ids: field('tag_ids', { kind: 'many2many', relation: 'tag' }),
  line_ids: field('line_ids', { kind: 'one2many', relation: 'line' }),
};
const info = { fields } as unknown as ModelInfo;
const lineFields = { name: field('name', { required: true }), qty: field('qty', { kind: 'integer' }) };
const lines = (about: Partial<Lines>): Lines => ({
  kind: 'lines',
  lines: [],
  removedIds: [],
  fields: lineFields,
  columns: ['name', 'qty'],
  ...about,
});

describe('What a form sends', () => {
  it('is what was changed, in the shape of the wire', () => {
    const before = { name: 'A', number: '1', partner_id: [3, 'Ada'], tag_ids: [1, 2] };
    const values = { name: '', number: '2', partner_id: [4, 'Bob'], tag_ids: [2, 1, 3] };
    expect(changedValues(info, values, before)).toEqual({
      name: false,
      partner_id: 4,
      tag_ids: [[6, false, [2, 1, 3]]],
    });
  });

  it('is nothing where only order, or the name beside an id, is another', () => {
    const before = { name: false, partner_id: [3, 'Ada'], tag_ids: [1, 2], line_ids: [5] };
    const values = { name: '', partner_id: [3, 'Ada L.'], tag_ids: [2, 1], line_ids: [5] };
    expect(changedValues(info, values, before)).toEqual({});
    expect(isSame(0, false)).toBe(false);
  });

  it('has a command per line that was made, changed or taken out', () => {
    const value = lines({
      removedIds: [9],
      lines: [
        { key: '1', id: 1, values: { name: 'One', qty: 1 }, changes: { qty: 2 } },
        { key: '2', id: 2, values: { name: 'Two', qty: 1 }, changes: { qty: 1 } },
        { key: 'n', id: null, values: { qty: 1, name: false }, changes: { name: 'New' } },
      ],
    });
    expect(lineCommands(value)).toEqual([
      [2, 9, false],
      [1, 1, { qty: 2 }],
      [0, false, { name: 'New' }],
    ]);
    expect(changedValues(info, { line_ids: lines({}) }, { line_ids: [] })).toEqual({});
  });

  it('says what it was shown of each, lines included, so that the server notices another one’s change', () => {
    const value = lines({
      removedIds: [9],
      lines: [{ key: '1', id: 1, values: { name: 'One', qty: 1 }, changes: { qty: 2 } }],
    });
    const before = { name: 'A', line_ids: [1, 9] };
    const values = { name: 'B', line_ids: value };
    expect(seenValues(changedValues(info, values, before), values, before)).toEqual({
      name: 'A',
      line_ids: { ids: [9, 1], lines: { '1': { qty: 1 } } },
    });
  });
});

describe('What was typed while a form was sent', () => {
  const old = { key: '4', id: 4, values: { name: 'Old', qty: 1 }, changes: { qty: 2 } };
  const fresh = { key: 'new 1', id: null, values: {}, changes: { name: 'Fresh' } };
  const other = { key: 'new 2', id: null, values: {}, changes: { name: 'Other' } };
  const sent = { name: 'A', line_ids: lines({ lines: [old, fresh, other] }) };
  const saved = { name: 'A', line_ids: [6, 5, 4] };

  it('is nothing where nothing was typed', () => {
    expect(typedSince({ ...sent }, sent, saved)).toEqual({});
  });
  it('goes over the record that it became, into lines that it has made', () => {
    const now = lines({
      lines: [
        { ...old, changes: { qty: 2, name: 'Older' } },
        { ...fresh, changes: { name: 'Fresher' } },
        { key: 'new 3', id: null, values: {}, changes: { name: 'Third' } },
      ],
    });
    const typed = typedSince({ name: 'B', line_ids: now }, sent, saved);
    expect(typed.name).toBe('B');
    expect(lineCommands(typed.line_ids as Lines)).toEqual([
      [2, 6, false],
      [1, 4, { name: 'Older' }],
      [1, 5, { name: 'Fresher' }],
      [0, false, { name: 'Third' }],
    ]);
  });
});
