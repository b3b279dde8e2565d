import { CallError, type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';

interface Preview {
  readonly headers: readonly string[];
  readonly mapping: readonly string[];
  readonly sample: readonly (readonly string[])[];
  readonly columns: readonly {
    readonly value: string | null;
    readonly question: { readonly example: string; readonly choices: readonly { readonly label: string }[] } | null;
  }[];
}
interface Outcome {
  readonly created: number;
  readonly updated: number;
  readonly kept: boolean;
  readonly errors: readonly { readonly line: number; readonly column: string; readonly message: string }[];
}

someDatabase('Products in a file', (database) => {
  let app: TestApp;
  let admin: Client;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
    admin = await app.as('admin');
  });
  afterAll(() => app.close());

  const kw = <T>(model: string, method: string, args: unknown[]) =>
    admin.rpc<T>('/web/dataset/call_kw', { model, method, args, kwargs: {} });
  const read = (content: Buffer | string, about: object = {}) =>
    admin.rpc<Preview>('/web/backend/import/read', {
      model: 'product.template',
      file: Buffer.from(content).toString('base64'),
      ...about,
    });
  const run = (content: Buffer | string, mapping: readonly string[], about: object = {}) =>
    admin.rpc<Outcome>('/web/backend/import/run', {
      model: 'product.template',
      file: Buffer.from(content).toString('base64'),
      mapping,
      dryRun: false,
      ...about,
    });
  const variants = (name: string) =>
    kw<Record<string, unknown>[]>('product.product', 'search_read', [
      [['product_tmpl_id.name', 'like', name]],
      ['name', 'default_code', 'ean13', 'qty_available', 'list_price'],
    ]);

  it('bring their reference, barcode and stock, and change them', async () => {
    const german =
      'Preisliste;;;;\r\nProduct;Price;Reference;Barcode;In stock\r\nTee für Köche;1.234,56;T-1;4006381333931;12\r\nTee grün;1.234;T-2;;0\r\nTee süß;999,90;T-3;;\r\n';
    const file = Buffer.from(german, 'latin1');
    const preview = await read(file);
    expect(preview.mapping).toEqual(['name', 'list_price', 'default_code', 'ean13', 'qty_available']);
    expect(preview.sample[0]).toEqual(['Tee für Köche', '1,234.56', 'T-1', '4006381333931', '12']);
    expect(preview.sample[1]?.[1]).toBe('1,234');
    expect(preview.columns[1]).toMatchObject({ value: ',' });
    expect(await run(file, preview.mapping)).toMatchObject({ created: 3, kept: true, errors: [] });
    expect((await variants('Tee')).map(({ id, ...variant }) => variant)).toMatchObject([
      { name: 'Tee für Köche', default_code: 'T-1', ean13: '4006381333931', qty_available: 12, list_price: 1234.56 },
      { name: 'Tee grün', default_code: 'T-2', qty_available: 0, list_price: 1234 },
      { name: 'Tee süß', default_code: 'T-3', list_price: 999.9 },
    ]);
    const templates = await kw<Record<string, unknown>[]>('product.template', 'search_read', [
      [['name', 'like', 'Tee ']],
      ['default_code', 'ean13', 'qty_available', 'inventory', 'list_price'],
    ]);
    expect(templates.map(({ qty_available, inventory, list_price }) => [qty_available, inventory, list_price])).toEqual(
      expect.arrayContaining([
        [12, 'kept', 1234.56],
        [0, 'kept', 1234],
      ]),
    );
    const { content } = await admin.rpc<{ content: string }>('/web/backend/export', {
      model: 'product.template',
      fields: ['name', 'default_code', 'ean13', 'qty_available'],
      format: 'xlsx',
      domain: [['name', 'like', 'Tee ']],
      forImport: true,
    });
    const exported = Buffer.from(content, 'base64');
    const { mapping } = await read(exported);
    expect(mapping).toEqual(['.id', 'name', 'default_code', 'ean13', 'qty_available']);
    const before = await variants('Tee');
    expect(await run(exported, mapping)).toMatchObject({ updated: 3, created: 0, errors: [] });
    expect(await variants('Tee')).toEqual(before);
    const [id] = templates.map((template) => Number(template.id));
    const changed = await run(`.id,Reference,In stock\n${id},T-9,7\n`, ['.id', 'default_code', 'qty_available']);
    expect(changed).toMatchObject({ updated: 1, errors: [] });
    expect(await kw('product.template', 'read', [[id], ['default_code', 'qty_available']])).toEqual([
      { id, default_code: 'T-9', qty_available: 7 },
    ]);
  });

  it('with several variants keep what these have: another value is refused', async () => {
    const attribute = await kw<number>('product.attribute', 'create', [{ name: 'Cup size' }]);
    const values = await kw<number[]>('product.attribute.value', 'create', [
      ['S', 'L'].map((name) => ({ name, attribute_id: attribute })),
    ]);
    const id = await kw<number>('product.template', 'create', [
      { name: 'Cup', attribute_line_ids: [[0, 0, { attribute_id: attribute, value_ids: [[6, 0, values]] }]] },
    ]);
    const mapping = ['.id', 'name', 'default_code', 'qty_available'];
    expect(await run(`.id,n,r,s\n${id},Cup,,\n`, mapping)).toMatchObject({ updated: 1, errors: [] });
    const refused = await run(`.id,n,r,s\n${id},Cup,C-1,\n`, mapping);
    expect(refused).toMatchObject({ kept: false, errors: [{ line: 2, column: 'r' }] });
    expect(refused.errors[0]?.message).toContain('several variants');
  });

  it('keep links to records whose names have commas, as people read them', async () => {
    const names = ['VAT 20,5 %; reduced', 'VAT "A", other'];
    const taxes = await kw<number[]>('account.tax', 'create', [names.map((name) => ({ name, amount: 20.5 }))]);
    const id = await kw<number>('product.template', 'create', [{ name: 'Taxed', taxes_id: [[6, 0, taxes]] }]);
    const { content } = await admin.rpc<{ content: string }>('/web/backend/export', {
      model: 'product.template',
      fields: ['name', 'taxes_id'],
      format: 'csv',
      domain: [['id', '=', id]],
    });
    const outcome = await run(Buffer.from(content, 'base64'), ['name', 'taxes_id']);
    expect(outcome).toMatchObject({ created: 1, errors: [] });
    const rows = await kw<{ taxes_id: number[] }[]>('product.template', 'search_read', [
      [['name', '=', 'Taxed']],
      ['taxes_id'],
    ]);
    expect(rows.map(({ taxes_id }) => taxes_id.toSorted())).toEqual([taxes, taxes]);
  });

  it('are refused with a reference or barcode that is too long, at its column', async () => {
    const outcome = await run('Product,Barcode\nLong,12345678901234\n', ['name', 'ean13']);
    expect(outcome).toMatchObject({ kept: false, errors: [{ line: 2, column: 'Barcode' }] });
    const call = kw('product.template', 'create', [{ name: 'Long', default_code: 'x'.repeat(65) }]);
    const error = await call.catch((caught: unknown) => caught);
    expect(error instanceof CallError && error.fields).toMatchObject({ default_code: expect.any(String) });
  });

  it('are not imported until a price that could be two is decided', async () => {
    const list = 'Product;Price\nOpen A;1,234\nOpen B;€1,299\nOpen C;5\n';
    const mapping = ['name', 'list_price'];
    const { columns } = await read(list, { mapping });
    expect(columns[1]).toMatchObject({ value: null, question: { example: '1,234' } });
    expect(columns[1]?.question?.choices.map(({ label }) => label)).toEqual(['1234', '1.234']);
    const open = await run(list, mapping, { skipFaulty: true });
    expect(open).toMatchObject({ created: 0, kept: false });
    expect(open.errors.map(({ line }) => line)).toEqual([2, 3]);
    const answer = { columns: [{}, { decimal: '.' }] };
    expect((await read(list, { mapping, ...answer })).sample.map(([, price]) => price)).toEqual([
      '1,234',
      '1,299',
      '5',
    ]);
    expect(await run(list, mapping, answer)).toMatchObject({ created: 3, kept: true });
    expect((await variants('Open')).map(({ list_price }) => list_price).sort()).toEqual([1234, 1299, 5]);
  });
});
