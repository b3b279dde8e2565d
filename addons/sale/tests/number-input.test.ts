import type { Decimal } from 'pergola';
import { CallError, type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { ProductTemplate } from '../models/product-template.ts';
import { base64, type ImportOutcome, importPriceRules } from './kit.ts';

someDatabase('Numbers that come in', (database) => {
  let app: TestApp;
  let admin: Client;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
    admin = await app.as('admin');
  });
  afterAll(() => app.close());

  const kw = <T>(model: string, method: string, args: unknown[], client = admin) =>
    client.rpc<T>('/web/dataset/call_kw', { model, method, args, kwargs: {} });

  describe('with a file', () => {
    /** Imports products with these prices; returns what was kept, or the faults by line. */
    async function prices(cells: readonly string[], about: object = {}, client = admin) {
      const name = `Import ${Math.random()}`;
      const lines = cells.map((cell, index) => `${name} ${index};"${cell}"`);
      const outcome = await client.rpc<ImportOutcome>('/web/backend/import/run', {
        model: 'product.template',
        file: base64(`Name;Price\n${lines.join('\n')}\n`),
        mapping: ['name', 'list_price'],
        dryRun: false,
        ...about,
      });
      if (!outcome.kept) return outcome.errors.map(({ line, column, message }) => `${line} ${column}: ${message}`);
      return app.read(async (ctx) => {
        const rows = await ctx
          .model(ProductTemplate)
          .find([['name', 'like', name]], { select: { list_price: true }, order: 'id' });
        return rows.map(({ list_price }) => list_price);
      });
    }

    it.each([
      [
        ['1.234,56', '1.234', '999,90'],
        ['1234.56', '1234', '999.9'],
      ],
      [
        ['1,234', '12.50'],
        ['1234', '12.5'],
      ],
      [
        ['4 500,00 €', '€12.50', "1'200.5", '١٢'],
        ['4500', '12.5', '1200.5', '12'],
      ],
      [
        ["'7", '9.-', '1,23,456.00', '12,34,567.5'],
        ['7', '9', '123456', '1234567.5'],
      ],
      [
        ['1.234,-', '12,5 EUR', '1 234,50 €', '€ 9,99', '５，２５'],
        ['1234', '12.5', '1234.5', '9.99', '5.25'],
      ],
      [
        ['1\u202f234,50 €', '1\u00a0234,50', '1\u2009234,5', '99 EUR', '€ 5'],
        ['1234.5', '1234.5', '1234.5', '99', '5'],
      ],
    ])('are read by the decimal sign of their column: %j', async (cells, expected) => {
      expect(await prices(cells)).toEqual(expected);
    });

    it('are not guessed: a column that does not tell is refused, unless the sign is chosen', async () => {
      expect(await prices(['1,250', '3'])).toEqual([
        '2 Price: “1,250” could be 1250 or 1.25. Choose which one the file means.',
      ]);
      expect(await prices(['1.250', '12,5', '12.5'])).toEqual([
        '2 Price: “1.250” could be 1.25 or 1250. Choose which one the file means.',
      ]);
      // Three decimals in a price: other cells tell the sign, but thousands are more likely.
      expect(await prices(['12,50', '1,234'])).toEqual([
        '3 Price: “1,234” could be 1234 or 1.234. Choose which one the file means.',
      ]);
      expect(await prices(['12,50', '1,234'], { decimal: ',' })).toEqual(['12.5', '1.234']);
      expect(await prices(['12,50', '1,234'], { decimal: '.' })).toEqual(['12.5', '1234']);
      expect(await prices(['1,250'], { decimal: '.' })).toEqual(['1250']);
      expect(await prices(['1,250'], { decimal: ',' })).toEqual(['1.25']);
    });

    it.each([
      ['1,2,3', '“1,2,3” isn’t a number. Use 1234.50 or 1234,50.'],
      [
        '1,23E+05',
        '“1,23E+05” is in scientific notation. Show all digits in your spreadsheet program, save the file and try again.',
      ],
      [
        '20 %',
        '“20 %” is a percentage, but this field takes plain numbers. Enter the number without the percent sign.',
      ],
      ['½', '“½” isn’t a number. Use 1234.50 or 1234,50.'],
      ['(-5)', '“(-5)” isn’t a number. Use 1234.50 or 1234,50.'],
      ['5-7', '“5-7” isn’t a number. Use 1234.50 or 1234,50.'],
      ['5²', '“5²” isn’t a number. Use 1234.50 or 1234,50.'],
      ['12 kg', '“12 kg” isn’t a number. Use 1234.50 or 1234,50.'],
      ['12.05.2026', '“12.05.2026” isn’t a number. Use 1234.50 or 1234,50.'],
      ['1.2345678', '“1.2345678” has too many decimals. Use at most 6.'],
    ])('are refused at their line if they are none: %s', async (cell, message) => {
      expect(await prices([cell])).toEqual([`2 Price: ${message}`]);
    });

    const rules = (field: string, cells: readonly string[]) => importPriceRules(admin, field, cells);

    it('are negative in parentheses, and with the minus sign at the end', async () => {
      const cells = ['(1,234.50)', '12.00-', '(€5.5)', '(7.00) EUR', '- 3.5', '−4.25'];
      expect(await rules('price_surcharge', cells)).toEqual([-1234.5, -12, -5.5, -7, -3.5, -4.25]);
    });

    it('are percentages in fields that hold shares, as the field counts them', async () => {
      expect(await rules('percent_price', ['10 %', '5,5%', '7', '2,10\u00a0%'])).toEqual([10, 5.5, 7, 2.1]);
      expect(await rules('price_discount', ['-20 %', '0,5', '-12,5%'])).toEqual([-0.2, 0.5, -0.125]);
      const tax = { model: 'account.tax', file: base64('Tax;Amount\nT;20 %\n'), mapping: ['name', 'amount'] };
      expect((await admin.rpc<{ sample: unknown }>('/web/backend/import/read', tax)).sample).toEqual([['T', '20']]);
    });

    it('with three decimals are consistent in a column of quantities', async () => {
      const { columns } = await admin.rpc<{ columns: { value: string | null }[] }>('/web/backend/import/read', {
        model: 'product.pricelist.item',
        file: base64('q\n"12,50"\n"1,234"\n'),
        mapping: ['min_quantity'],
      });
      expect(columns[0]).toMatchObject({ value: ',' });
    });

    it('are whole in a column of integers', async () => {
      const run = (cell: string) =>
        admin.rpc<ImportOutcome>('/web/backend/import/run', {
          model: 'product.template',
          file: base64(`Name;Sequence\nX;"${cell}"\n`),
          mapping: ['name', 'sequence'],
          dryRun: true,
        });
      expect((await run('2.9')).errors).toMatchObject([{ line: 2, message: '“2.9” isn’t a whole number.' }]);
      expect((await run('1,200')).errors).toMatchObject([{ line: 2, message: expect.stringContaining('could be') }]);
      expect(await run('1 200')).toMatchObject({ faulty: 0 });
    });

    it('come back as they went out', async () => {
      const id = await app.write((ctx) =>
        ctx.model(ProductTemplate).create({ name: 'Round trip', list_price: '1.234' as Decimal }),
      );
      const { content } = await admin.rpc<{ content: string }>('/web/backend/export', {
        model: 'product.template',
        fields: ['list_price'],
        format: 'csv',
        domain: [['id', '=', id]],
        forImport: true,
      });
      const about = { model: 'product.template', file: content, mapping: ['.id', 'list_price'], dryRun: false };
      expect(await admin.rpc('/web/backend/import/run', about)).toMatchObject({ updated: 1, faulty: 0, kept: true });
      expect(await kw('product.template', 'read', [[id], ['list_price']])).toEqual([{ id, list_price: 1.234 }]);
    });
  });

  describe('with a call', () => {
    const refused = async (values: string): Promise<unknown> => {
      // As text, since JSON can say what JavaScript can't.
      const body = `{"jsonrpc":"2.0","id":1,"params":{"model":"product.template","method":"create","args":[{"name":"X",${values}}],"kwargs":{}}}`;
      const error = await admin.rpc('/web/dataset/call_kw', JSON.parse(body).params).catch((caught: unknown) => caught);
      return error instanceof CallError ? error.fields : {};
    };

    it.each([
      ['"sequence":2.9', { sequence: 'Enter a whole number.' }],
      ['"sequence":"2.9"', { sequence: 'Enter a whole number.' }],
      ['"sequence":9007199254740993', { sequence: 'This number is too large.' }],
      ['"list_price":"1,250"', { list_price: '“1,250” isn’t an exact decimal number.' }],
      ['"list_price":"1e3"', { list_price: '“1e3” isn’t an exact decimal number.' }],
      ['"list_price":"1e400"', { list_price: '“1e400” isn’t an exact decimal number.' }],
      ['"list_price":"NaN"', { list_price: '“NaN” isn’t an exact decimal number.' }],
      ['"list_price":9007199254740993', { list_price: 'This number is too large.' }],
      ['"list_price":1.2345678', { list_price: 'Use at most 6 decimals.' }],
    ])('are refused, not truncated: %s', async (values, fields) => {
      expect(await refused(values)).toEqual(fields);
    });
  });
});
