import { type CellObject, utils, write } from '@e965/xlsx';
import { type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { base64, type ImportOutcome, importPriceRules } from './kit.ts';

someDatabase('Numbers of a file', (database) => {
  let app: TestApp;
  let admin: Client;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
    admin = await app.as('admin');
  });
  afterAll(() => app.close());

  const kw = <T>(model: string, method: string, args: unknown[]) =>
    admin.rpc<T>('/web/dataset/call_kw', { model, method, args, kwargs: {} });

  const rules = (field: string, cells: readonly string[]) => importPriceRules(admin, field, cells);

  it('may have a currency where the field takes amounts', async () => {
    const plain = 'but this field takes plain numbers. Enter the number alone.';
    const share = 'but this field takes percentages. Enter the percentage alone.';
    expect(await rules('percent_price', ['20 €'])).toEqual([`“20 €” has a currency, ${share}`]);
    expect(await rules('price_discount', ['$0.5'])).toEqual([`“$0.5” has a currency, ${share}`]);
    expect(await rules('min_quantity', ['5 EUR'])).toEqual([`“5 EUR” has a currency, ${plain}`]);
    expect(await rules('sequence', ['CHF 5'])).toEqual([`“CHF 5” has a currency, ${plain}`]);
    expect(await rules('min_quantity', ['5 kg', '3 PCS'])).toEqual([
      '“5 kg” isn’t a number. Use 1234.50 or 1234,50.',
      '“3 PCS” isn’t a number. Use 1234.50 or 1234,50.',
    ]);
  });

  it('are refused in another currency than that of their record', async () => {
    const other = (value: string, currency: string): string =>
      `“${value}” isn’t in ${currency}, the currency of this record. Convert the amount or change the currency of the record.`;
    expect(await rules('fixed_price', ['20 €', '$20', 'EUR 5'])).toEqual([other('$20', 'EUR')]);
    const products = async (lines: string, mapping: readonly string[], file?: string) => {
      const outcome = await admin.rpc<ImportOutcome>('/web/backend/import/run', {
        model: 'product.template',
        file: file ?? base64(lines),
        mapping,
        dryRun: false,
        decimal: ',',
      });
      return outcome.kept ? 'kept' : outcome.errors.map(({ line, message }) => `${line} ${message}`);
    };
    // Most currencies are archived.
    const names = ['USD', 'SEK', 'PLN', 'BRL', 'JPY'];
    const archived = await kw<number[]>('res.currency', 'search', [
      [
        ['active', 'in', [true, false]],
        ['name', 'in', names],
      ],
    ]);
    expect(archived).toHaveLength(names.length);
    await kw('res.currency', 'write', [archived, { active: true }]);
    const named = ['USD;US$ 20', 'USD;20 USD', 'SEK;kr. 12,5', 'PLN;12,50 zl', 'BRL;R$ 9,99', 'JPY;500円'];
    const mapping = ['name', 'currency_id', 'list_price'];
    const table = `Name;Currency;Price\n${named.map((line, index) => `Named ${index};${line}`).join('\n')}\n`;
    expect(await products(table, mapping)).toBe('kept');
    expect(await products('Name;Currency;Price\nA;USD;20 €\nB;EUR;US$ 20\nC;EUR;20\n', mapping)).toEqual([
      `2 ${other('20 €', 'USD')}`,
      `3 ${other('US$ 20', 'EUR')}`,
    ]);
    // A record that a file changes keeps its currency.
    const dollars = await kw<number>('product.template', 'create', [
      { name: 'Dollars', currency_id: (await kw<number[]>('res.currency', 'search', [[['name', '=', 'USD']]]))[0] },
    ]);
    expect(await products(`id;Price\n${dollars};20 €\n`, ['.id', 'list_price'])).toEqual([`2 ${other('20 €', 'USD')}`]);
    // Spreadsheets keep the currency in the format of a cell.
    const sheet = utils.aoa_to_sheet([
      ['Name', 'Price'],
      ['In euros', 1.234],
      ['In dollars', 20],
    ]);
    const formats = { B2: '#,##0.00 [$€-407]', B3: '_-[$$-409]* #,##0.00_ ' };
    for (const [cell, format] of Object.entries(formats)) Object.assign(sheet[cell] as CellObject, { z: format });
    const file = utils.book_new(sheet, 'Prices');
    const book = Buffer.from(write(file, { type: 'buffer', bookType: 'xlsx' }) as Uint8Array).toString('base64');
    expect(await products('', ['name', 'list_price'], book)).toEqual([`3 ${other('20 $', 'EUR')}`]);
  });

  it('are percentages or amounts as the type of their record says', async () => {
    const shares = 'but this field takes percentages. Enter the percentage alone.';
    const plain = 'but this field takes plain numbers. Enter the number without the percent sign.';
    const about = (lines: string) => ({
      model: 'account.tax',
      file: base64(`Tax;Type;Amount\n${lines}`),
      mapping: ['name', 'type', 'amount'],
    });
    const right = about('VAT;Percentage;19 %\nEco;Fixed amount per unit;0,05 €\nOther;;7,5 %\n');
    const { sample } = await admin.rpc<{ sample: string[][] }>('/web/backend/import/read', right);
    expect(sample.map(([, , amount]) => amount)).toEqual(['19', '0.05', '7.5']);
    expect(await admin.rpc('/web/backend/import/run', { ...right, dryRun: false })).toMatchObject({ created: 3 });
    const wrong = about('VAT;Percentage;19 €\nEco;fixed;5 %\nEco 2;fixed;$ 0,05\n');
    const { problems } = await admin.rpc<{ problems: (string | null)[][] }>('/web/backend/import/read', wrong);
    const expected = [
      `“19 €” has a currency, ${shares}`,
      `“5 %” is a percentage, ${plain}`,
      expect.stringContaining('“$ 0,05” isn’t in EUR'),
    ];
    expect(problems.map(([, , problem]) => problem)).toEqual(expected);
    const outcome = await admin.rpc<ImportOutcome>('/web/backend/import/run', { ...wrong, dryRun: false });
    expect(outcome.errors.map(({ message }) => message)).toEqual(expected);
    // A tax that a file changes keeps its type.
    const [eco] = await kw<number[]>('account.tax', 'search', [[['name', '=', 'Eco']]]);
    const change = (amount: string) =>
      admin.rpc<ImportOutcome>('/web/backend/import/run', {
        model: 'account.tax',
        file: base64(`id;Amount\n${eco};"${amount}"\n`),
        mapping: ['.id', 'amount'],
        dryRun: false,
      });
    expect(await change('0,10 €')).toMatchObject({ updated: 1, kept: true });
    expect(await change('10 %')).toMatchObject({ kept: false });
  });

  it('in another currency are marked in the preview', async () => {
    const { problems, sample } = await admin.rpc<{ problems: (string | null)[][]; sample: string[][] }>(
      '/web/backend/import/read',
      {
        model: 'product.template',
        file: base64('Name;Price;Currency\nA;$20;\nB;$20;USD\nC;20 €;\n'),
        mapping: ['name', 'list_price', 'currency_id'],
      },
    );
    expect(problems.map(([, price]) => price)).toEqual([expect.stringContaining('isn’t in EUR'), null, null]);
    expect(sample.map(([, price]) => price)).toEqual(['$20', '20', '20']);
  });
});
