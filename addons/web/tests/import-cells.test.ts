import { type BookType, CFB, utils, write } from '@e965/xlsx';
import type { Ctx } from 'pergola';
import type { FieldInfo } from '../backend/types.ts';
import { guarded, unguarded } from '../services/backend/formula-guard.ts';
import { readCell } from '../services/backend/import/cells.ts';
import { takesCurrency } from '../services/backend/import/currencies.ts';
import { readDate, readTime } from '../services/backend/import/dates.ts';
import { detectEncoding } from '../services/backend/import/encoding.ts';
import { momentText, numberFormat } from '../services/backend/import/formats.ts';
import { decimalSignIn, readNumber } from '../services/backend/import/numbers.ts';
import { readText } from '../services/backend/import/text-file.ts';
import { Workbook } from '../services/backend/import/workbook.ts';
import { checkZip } from '../services/backend/import/zip-check.ts';
import { inline, sheetXml, workbook } from './spreadsheet.ts';

describe('A cell that is read for a field', () => {
  const formats = {
    formatDate: (day: string) => day,
    formatNumber: (number: string) => number,
    parseNumber: (value: string) => ({ value, problem: null }),
  };
  const ctx = { lang: 'en_US', timezone: 'Europe/Paris', get: () => formats } as unknown as Ctx;
  const field = (about: Partial<FieldInfo>) =>
    ({ kind: 'decimal', places: 2, percentage: null, ...about }) as unknown as FieldInfo;
  const read = (cell: string, about: Partial<FieldInfo>, dayFirst: boolean | null = null) =>
    readCell(ctx, cell, field(about), { dayFirst, decimal: null } as Parameters<typeof readCell>[3]);

  test('is a day or a moment in UTC, and asked for where it could be two days', () => {
    expect(read('3/4/2026', { kind: 'date' }, true)).toBe('2026-04-03');
    expect(read('3/4/2026', { kind: 'date' }, false)).toBe('2026-03-04');
    expect(read('21/11/2026 15:30', { kind: 'datetime' })).toBe('2026-11-21 14:30:00');
    expect(() => read('3/4/2026', { kind: 'date' })).toThrow('Choose which one the file means.');
    expect(() => read('3/4/2026 10:00', { kind: 'datetime' })).toThrow('Choose which one the file means.');
  });

  test('is a percentage only where the field holds some, and an amount where it holds none', () => {
    expect(readNumber(ctx, '12', field({}), '.')).toBe('12');
    expect(() => readNumber(ctx, '12%', field({}), '.')).toThrow('is a percentage');
    expect(takesCurrency(field({ kind: 'money' }))).toBe(true);
    expect(takesCurrency(field({ places: 3 }))).toBe(false);
    expect(takesCurrency(field({ percentage: 'ratio' }))).toBe(false);
  });
});

describe('A date of a file', () => {
  test.each([
    ['2026-11-21', '2026-11-21'],
    ['2026/3/4', '2026-03-04'],
    ['21/11/2026', '2026-11-21'],
    ['11/21/2026', '2026-11-21'],
    ['21.11.26', '2026-11-21'],
    ['21. 11. 2026', '2026-11-21'],
    ['29-02-2028', '2028-02-29'],
    ['31/12/68', '1968-12-31'],
    ['5/5/2026', '2026-05-05'],
    ['3/4/2026', '2026-04-03 or 2026-03-04'],
    ['sam. 21/11/2026', '2026-11-21'],
    ['Samstag, 21.11.2026', '2026-11-21'],
    ['Sat 11/21/2026', '2026-11-21'],
    // The weekday shows which number is the month.
    ['sam. 3/4/2027', '2027-04-03'],
    ['dim. 21/11/2026', 'none'],
    ['samedi 21 novembre 2026', '2026-11-21'],
    ['1er février 2026', '2026-02-01'],
    ['21. Dezember 2026', '2026-12-21'],
    ['Nov 21, 2026', '2026-11-21'],
    ['21-nov-26', '2026-11-21'],
    ['21 de noviembre de 2026', '2026-11-21'],
    ['2026年11月21日', '2026-11-21'],
    ['20261121', '2026-11-21'],
    ['20261321', 'none'],
    ['21 listopada 2026', '2026-11-21'],
    ['so 21. listopadu 2026', '2026-11-21'],
    ['So, 22.11.2026', '2026-11-22'],
    ['lördag 21 november 2026', '2026-11-21'],
    ['14/07/1789', '1789-07-14'],
    ['31.02.2026', 'none'],
    ['21/11/2026 24:00', 'none'],
    ['2026-W47-6', 'none'],
    ['21-NOV-26 12:05 AM', '2026-11-21 00:05:00'],
    ['21/11/2026 9:30', '2026-11-21 09:30:00'],
    ['21.11.2026 09.30', '2026-11-21 09:30:00'],
    ['21/11/2026 3:30 PM', '2026-11-21 15:30:00'],
    ['sam. 21 nov. 2026 à 15h30', '2026-11-21 15:30:00'],
    ['2026-11-21T09:30:15.000Z', '2026-11-21 09:30:15 Z'],
    ['2026-11-21 09:30+0200', '2026-11-21 09:30:00 +0200'],
    ['13/13/2026', 'none'],
    ['2026-02-30', 'none'],
    ['2026-11-21x', 'none'],
    ['2026-11-21 25:61', 'none'],
    ['2026-11-21 10:00 Europe/Paris', 'none'],
    ['13:45', 'none'],
    ['soon', 'none'],
    ['46000', 'none'],
  ])('%s is read as %s', (text, expected) => {
    const reading = readDate(text);
    const { days, time, offset } = reading ?? { days: ['none'], time: null, offset: null };
    expect([days.join(' or '), time, offset].filter(Boolean).join(' ')).toBe(expected);
  });

  test.each([
    ['31/12/2026', true],
    ['12/31/2026', false],
    ['3/4/2026', null],
    ['5/5/2026', null],
    ['2026-12-31', null],
    ['31 December 2026', null],
  ])('%s tells that days come first: %s', (text, order) => expect(readDate(text)?.dayFirst).toBe(order));
});

test.each([
  ['15:30', '15:30:00'],
  ['15h30', '15:30:00'],
  ['15 h 30', '15:30:00'],
  ['15.30 Uhr', '15:30:00'],
  ['9h', '09:00:00'],
  ['3:30 PM', '15:30:00'],
  ['3 p.m.', '15:00:00'],
  ['12:05 am', '00:05:00'],
  ['15:30:20', '15:30:20'],
  ['13:00 PM', null],
  ['24:00', null],
  ['15', null],
])('the time %s is read as %s', (text, time) => expect(readTime(text)).toBe(time));

test.each([
  [['1,250', '12,50'], ','],
  [['1,250', '12.5'], '.'],
  [['1,250', '1.250'], null],
  [['1.234.567'], ','],
  [['1,234,567'], '.'],
  [['1.234,56', '1.234', '999,90'], ','],
  [['0,125'], ','],
  [['1234,567'], ','],
  [['12,50', '12.50'], null],
  [['€1,250.00'], '.'],
  [['kr. 5', '1.250'], null],
  [['12', 1.5, null, ''], null],
])('the numbers %j of a column have the decimal sign %s', (cells, sign) => expect(decimalSignIn(cells)).toBe(sign));

describe('A number that a spreadsheet shows as a date or time', () => {
  const time = numberFormat('h:mm');

  it('is exact to the second, for each minute of a day', () => {
    for (let minute = 0; minute < 1440; minute += 1) {
      const expected = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
      expect(momentText(minute / 1440, time, false)).toBe(expected);
      for (const is1904 of [false, true]) {
        const days = is1904 ? 44_885 : 46_347;
        const moment = momentText(days + minute / 1440, numberFormat('d h:mm'), is1904);
        expect(moment).toBe(`2026-11-21 ${expected}`);
      }
    }
  });

  test.each([
    [44_016.416666666664, 'm/d/yy h:mm', '2020-07-04 10:00'],
    [46_347, 'm/d/yy', '2026-11-21'],
    [46_347.5, 'm/d/yy', '2026-11-21 12:00'],
    [46_347, 'm/d/yy h:mm', '2026-11-21 00:00'],
    [0.572916666666667, 'h:mm', '13:45'],
    [0.572928240740741, 'h:mm:ss', '13:45:01'],
    [1.25, '[h]:mm:ss', '30:00'],
    [1.25, '[h]:mm', '30:00'],
    [1.25, 'h:mm', '30:00'],
    [-0.0625, '[h]:mm', '-01:30'],
    [1, 'd', '1900-01-01'],
    [61, 'd', '1900-03-01'],
    [46_347, 'dd"."mm"."yyyy', '2026-11-21'],
    [46_347, '[$-407]mmmm;@', '2026-11-21'],
    [46_347, '[Red]yyyy\\-mm\\-dd', '2026-11-21'],
  ])('%d in the format %s is %s', (days, code, expected) =>
    expect(momentText(days, numberFormat(code), false)).toBe(expected),
  );

  test.each(['General', '0.00', '#,##0.00 "days"', '0.00E+00', '#,##0 [$CHF]', '0%', '_-* #,##0.00\\ "€"_-'])(
    'is a plain number in the format %s',
    (code) => expect(numberFormat(code)).toMatchObject({ date: false, time: false }),
  );
});

describe('A spreadsheet file', () => {
  const rows = (book: Workbook, index = 0) => book.rows(index, { rows: 2_000, columns: 50 }).map(({ cells }) => cells);

  it.each<BookType>(['xlsx', 'biff8', 'ods', 'xlml'])('of the kind %s has exact times', async (bookType) => {
    const minutes = Array.from({ length: 1_440 }, (_, minute) => [
      { t: 'n', v: minute / 1_440, z: 'h:mm' },
      { t: 'n', v: 46_347 + minute / 1_440, z: 'd/m/yy h:mm' },
    ]);
    const book = { SheetNames: ['S'], Sheets: { S: utils.aoa_to_sheet(minutes) } };
    const content = write(book, { type: 'buffer', bookType }) as Buffer;
    const contentXml = bookType === 'ods' ? await checkZip(content, 1e8) : '';
    const cells = rows(new Workbook(bookType === 'xlml' ? String(content) : content, contentXml));
    expect(cells).toEqual(
      minutes.map((_, minute) => {
        const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
        return [time, `2026-11-21 ${time}`];
      }),
    );
  });

  const openDocument = (body: string, prefix = 'table') =>
    `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>${body}</office:spreadsheet></office:body></office:document>`;
  const filled = (repeats: string, prefix = 'table') =>
    `<${prefix}:table-cell ${repeats} office:value-type="string"><text:p>x</text:p></${prefix}:table-cell>`;

  it('ends with a million empty rows, as programs write them', () => {
    const empty =
      '<table:table-row table:number-rows-repeated="1048574"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
    const wide = '<table:covered-table-cell table:number-columns-repeated="1023"/>';
    const sheet = `<table:table table:name="S"><table:table-row>${filled('table:number-columns-repeated="2"')}${wide}</table:table-row>${empty}</table:table>`;
    expect(rows(new Workbook(openDocument(sheet)))).toEqual([['x', 'x']]);
  });

  const endless = filled('table:number-columns-repeated="2000000000"');
  it.each([
    ['a cell', `<table:table-row>${endless}</table:table-row>`, 'TooLargeUnpacked'],
    [
      'a cell whose number has an exponent',
      `<table:table-row>${endless.replace('2000000000', '2e9')}</table:table-row>`,
      'TooLargeUnpacked',
    ],
    [
      'an empty cell with an end tag',
      '<table:table-row><table:table-cell table:number-columns-repeated="2000000000"></table:table-cell></table:table-row>',
      'TooLargeUnpacked',
    ],
    [
      'a covered cell',
      '<table:table-row><table:covered-table-cell table:number-columns-repeated="2000000000"/></table:table-row>',
      'TooLargeUnpacked',
    ],
    [
      'a row',
      `<table:table-row table:number-rows-repeated="2000000000">${filled('')}</table:table-row>`,
      'TooLargeSheet',
    ],
    [
      'cells of many rows',
      `<table:table-row>${filled('table:number-columns-repeated="16000"')}</table:table-row>`.repeat(1_000),
      'TooLargeUnpacked',
    ],
    [
      'a space',
      `<table:table-row>${filled('').replace('>x<', '>x<text:s text:c="500000000"/><')}</table:table-row>`,
      'TooLargeUnpacked',
    ],
  ])('is refused before %s is repeated without end', (_what, body, name) => {
    expect(() => new Workbook(openDocument(`<table:table table:name="S">${body}</table:table>`))).toThrow(
      expect.objectContaining({ name }),
    );
    const renamed = body.replaceAll('table:', 't:');
    expect(() => new Workbook(openDocument(`<t:table t:name="S">${renamed}</t:table>`, 't'))).toThrow(
      expect.objectContaining({ name }),
    );
  });

  it.each(['1900', '1904'])('counts days from %s', (year) => {
    const is1904 = year === '1904';
    const xml = sheetXml({ A1: ['s="1"', `<v>${is1904 ? 44_885 : 46_347}</v>`] });
    const book = workbook([{ name: 'S', xml }], { formats: ['d/m/yyyy'], is1904 });
    expect(rows(new Workbook(book))).toEqual([['2026-11-21']]);
  });

  it('keeps errors, results that are missing, apostrophes and formatted text apart', () => {
    const xml = sheetXml({
      A1: ['t="e"', '<v>#N/A</v>'],
      B1: ['', '<f>1+1</f>'],
      C1: ['t="str"', '<f>X1</f><v></v>'],
      D1: ['t="e"', '<f>1/0</f><v>#DIV/0!</v>'],
      E1: ['t="e"', '<v>#SPILL!</v>'],
      F1: ['t="n"', '<v>1e400</v>'],
      G1: ['', '<v>1.1000000000000001</v>'],
      H1: ['t="b"', '<v>1</v>'],
      A2: ['t="inlineStr"', '<is><r><t>Rich</t></r><r><t xml:space="preserve"> text</t></r></is>'],
      B2: inline("'apostrophe"),
      C2: inline('00123'),
      D2: inline('two\nlines'),
      E2: ['s="1"', '<v>0.125</v>'],
    });
    const book = workbook([{ name: 'S', xml }], { formats: ['0.0%'] });
    expect(rows(new Workbook(book))).toEqual([
      [
        { error: '#N/A' },
        { error: '' },
        null,
        { error: '#DIV/0!' },
        { error: '#ERROR!' },
        { error: '#NUM!' },
        1.1,
        true,
      ],
      ['Rich text', "'apostrophe", '00123', 'two\nlines', '12.5%'],
    ]);
  });

  it('is as large as its cells, whatever it claims', () => {
    const xml = sheetXml({ A1: inline('x'), A1048576: inline('last') }).replace(
      '<sheetData>',
      '<dimension ref="A1:XFD1048576"/><sheetData>',
    );
    const sheet = new Workbook(workbook([{ name: 'S', xml }])).rows(0, { rows: 10, columns: 10 });
    expect(sheet.map(({ line }) => line)).toEqual([1, 1_048_576]);
  });

  it('may be a web page or XML saved as .xls', () => {
    const page =
      '<html><table><tr><th>Name</th><th>Price</th></tr><tr><td>Zo&euml; &amp; &#233; &lt;x&gt;</td><td>1.234,50</td></tr></table>';
    expect(rows(new Workbook(page))).toEqual([
      ['Name', 'Price'],
      ['Zoë & é <x>', '1.234,50'],
    ]);
  });

  it('protected by a password says so', () => {
    const container = CFB.utils.cfb_new();
    for (const name of ['/EncryptionInfo', '/EncryptedPackage']) CFB.utils.cfb_add(container, name, Buffer.alloc(100));
    const file = Buffer.from(CFB.write(container, { type: 'buffer' }));
    expect(() => new Workbook(file)).toThrow(/encrypt/i);
  });

  it('that lies about its size is refused before it is unpacked', async () => {
    const file = workbook([{ name: 'S', xml: sheetXml({ A1: inline('x') }) }]);
    await expect(checkZip(file, 100)).rejects.toMatchObject({ name: 'TooLargeUnpacked' });
    for (let at = file.indexOf('PK\x01\x02'); at >= 0; at = file.indexOf('PK\x01\x02', at + 1)) {
      const local = file.readUInt32LE(at + 42);
      file.writeUInt32LE(10, at + 24);
      file.writeUInt32LE(10, local + 22);
    }
    await expect(checkZip(file, 1_000)).rejects.toThrow(/size/i);
  });
});

describe('A text file', () => {
  const western = [
    'Name;Stadt\nMüller;Köln\n',
    'Nom;Ville\nÉlodie;Orléans\n',
    'Nom\nNoël à la plage\nÇa va\n',
    'Señor;Año\nMuñoz;España\n',
  ];
  const central = ['Imię;Miasto\nŁukasz Żółć;Łódź\n', 'Jméno;Město\nDvořák;Plzeň\nPříliš žluťoučký kůň;Brno\n'];

  it('is read in the encoding it was saved in', () => {
    const latin = (text: string) => Buffer.from(text, 'latin1');
    for (const text of western) expect(detectEncoding(latin(text))).toBe('windows-1252');
    for (const text of [...western, ...central]) {
      const wide = Buffer.from(text, 'utf16le');
      expect(detectEncoding(Buffer.from(text))).toBe('utf-8');
      for (const mark of ['', '\ufeff']) {
        const marked = Buffer.concat([Buffer.from(mark, 'utf16le'), wide]);
        expect(detectEncoding(marked)).toBe('utf-16le');
        expect(detectEncoding(Buffer.from(marked).swap16())).toBe('utf-16be');
      }
    }
    for (const text of central) expect(detectEncoding(encoded(text, 'windows-1250'))).toBe('windows-1250');
    for (const text of ['Nom;Ville\nÉva Noël;Besançon\n', 'Nom;Prix\nCafé crème;12,50 €\n', western[0] ?? ''])
      expect(detectEncoding(encoded(text, 'macintosh'))).toBe('macintosh');
    for (const text of ['名前;住所\n田中太郎;東京都\n', 'name,city\n山田,大阪\n', '商品,価格\nコーヒー,500\n'])
      expect(detectEncoding(encoded(text, 'shift_jis'))).toBe('shift_jis');
  });

  const rows = (text: string, choice = {}) => readText(Buffer.from(text), choice, 100);

  test.each([
    ['name (last, first);email\n"Doe, John";a@b\n', ';', ['Doe, John', 'a@b']],
    ['name (last, first);email\nDoe, John;a@b\n', ';', ['Doe, John', 'a@b']],
    ['Name,Tags\nAda,x;y\n', ',', ['Ada', 'x;y']],
    ['Preis;Name\n12,50;X\n', ';', ['12,50', 'X']],
    ['a\tb, c\n1\t2, 3\n', '\t', ['1', '2, 3']],
    ['a|b\n1|2\n', '|', ['1', '2']],
    ['sep=,\na;x,b\n1;y,2\n', ',', ['1;y', '2']],
    ['"sep=;"\r\na;b\r\n1,5;2\r\n', ';', ['1,5', '2']],
    ['Name\nDoe\n', ',', ['Doe']],
  ])('%j is delimited by %j', (text, delimiter, record) => {
    const table = rows(text);
    expect(table.delimiter).toBe(delimiter);
    expect(table.rows.at(-1)?.cells).toEqual(record);
  });

  it('with broken quotes is refused in the delimiter of its headings', () => {
    expect(() => rows('a;b\n1;"open\n2;3\n')).toThrow(expect.objectContaining({ name: 'OpenQuote', line: 2 }));
    expect(() => rows('sep=;\na;b\n1;2\n3;"open\n')).toThrow(expect.objectContaining({ line: 4 }));
    expect(() => rows(`a;b\n1;"${'x'.repeat(300_000)}\n`)).toThrow();
    expect(() => rows('%PDF-1.7\n\u0001\u0012\n')).toThrow(expect.objectContaining({ name: 'NotText' }));
    expect(rows(`a;b\n1;"${'x'.repeat(300_000)}"\n`).delimiter).toBe(';');
  });

  it('counts its lines with empty ones, and takes another delimiter if told', () => {
    expect(rows('sep=;\na;b\n\n;\n1;2\n').rows.map(({ line }) => line)).toEqual([2, 5]);
    expect(rows('a;b,c\n1;2,3\n', { delimiter: ',' }).rows[1]?.cells).toEqual(['1;2', '3']);
  });

  test.each([
    ['="01234"', '01234'],
    [`"=""a """"b"""""""`, 'a "b"'],
    ["'=SUM(A1)", '=SUM(A1)'],
    ["''=x", "'=x"],
    ["'hello", "'hello"],
    ["'-12", '-12'],
    ['#N/A', { error: '#N/A' }],
    ['#NV', { error: '#NV' }],
    ['#VALEUR!', { error: '#VALEUR!' }],
    ['#DIV/0!', { error: '#DIV/0!' }],
    ['Err:502', { error: 'Err:502' }],
    ['####', { error: '####' }],
    ['#1', '#1'],
  ])('has the cell %s for %j', (text, cell) => {
    expect(rows(`a;b\n${text};x\n`).rows[1]?.cells[0]).toEqual(cell);
  });

  test.each([
    '=1',
    "'=1",
    "''=1",
    '-12',
    "'-12",
    '+32 475',
    '@x',
    "'a",
    '#N/A',
    "'#N/A",
    'plain',
    '\tx',
    '\n=1',
    '＝1',
    '＋1',
    "'－1",
    '＠x',
  ])('gives back what an export guards: %s', (text) => expect(unguarded(guarded(text))).toBe(text));

  test.each(['=1', '+1+1', '-1+1', '@x', '\t=1', '\r=1', '\n=1', '＝1', '＋A1', '－A1', '＠x'])(
    'is marked as text by an export if it begins like a formula: %j',
    (text) => expect(guarded(text)).toBe(`'${text}`),
  );
});

test('A row that a file puts two thousand million rows down is read without a look at those above', () => {
  const cell = (text: string) => `<Cell><Data ss:Type="String">${text}</Data></Cell>`;
  const rows = `<Row>${cell('Name')}</Row><Row ss:Index="2000000000">${cell('Ada')}</Row>`;
  const schema = 'urn:schemas-microsoft-com:office:spreadsheet';
  const book = new Workbook(
    `<?xml version="1.0"?><Workbook xmlns="${schema}" xmlns:ss="${schema}"><Worksheet ss:Name="S"><Table>${rows}</Table></Worksheet></Workbook>`,
  );
  expect(book.rows(0, { rows: 10, columns: 10 })).toEqual([
    { line: 1, cells: ['Name'] },
    { line: 2_000_000_000, cells: ['Ada'] },
  ]);
});

/** Encodes text in an encoding that Node can only decode: finds each character among all one- and two-byte sequences. */
function encoded(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map<string, number[]>();
  for (let high = 0; high < 256; high += 1) {
    bytes.set(decoder.decode(Uint8Array.of(high)), [high]);
    if (encoding !== 'shift_jis' || high < 0x81) continue;
    for (let low = 0x40; low < 0xfd; low += 1) {
      const character = decoder.decode(Uint8Array.of(high, low));
      if (character.length === 1 && !bytes.has(character)) bytes.set(character, [high, low]);
    }
  }
  return Buffer.from([...text].flatMap((character) => bytes.get(character) ?? []));
}
