import { SaleOrderLine } from '@pergola/sale';
import { createTestApp, type TestApp } from 'pergola/testing';
import { type Shelf, stockUp, type Updated } from './kit.ts';

describe('A typed quantity', () => {
  let app: TestApp;
  let shelf: Shelf;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], demo: false });
    shelf = await app.write(stockUp);
  });
  afterAll(() => app.close());

  const inCart = async (line: number | false): Promise<number> =>
    Number(
      (await app.read((ctx) => ctx.model(SaleOrderLine).get(Number(line), { select: { product_uom_qty: true } })))
        .product_uom_qty,
    );

  it.each([
    ['/shop/cart/update_json', '1,200', 1200],
    ['/fr/shop/cart/update_json', '1\u202f200', 1200],
    ['/fr/shop/cart/update_json', '1 200', 1200],
    ['/shop/cart/update_json', '١٢', 12],
    ['/shop/cart/update_json', '１２', 12],
    ['/shop/cart/update_json', "1'200", 1200],
  ])('sent to %s is read in the language of the page: %s', async (path, set_qty, quantity) => {
    const visitor = app.visitor();
    const { line_id } = await visitor.rpc<Updated>(path, { product_id: shelf.ropeVariant, add_qty: 1 });
    expect(await visitor.rpc(path, { line_id, product_id: shelf.ropeVariant, set_qty })).toMatchObject({ quantity });
  });

  it.each([
    ['/shop/cart/update_json', '2.9', 'Enter a whole number.'],
    ['/fr/shop/cart/update_json', '2,9', 'Saisissez un nombre entier.'],
    ['/shop/cart/update_json', '1,2,3', 'Enter a whole number.'],
    ['/fr/shop/cart/update_json', '1.000', 'Ce nombre peut se lire 1000 ou 1. Saisissez l’un des deux.'],
  ])('sent to %s is refused, and the cart stays, if it is no whole number: %s', async (path, set_qty, fault) => {
    const visitor = app.visitor();
    const { line_id } = await visitor.rpc<Updated>(path, { product_id: shelf.ropeVariant, add_qty: 2 });
    await expect(visitor.rpc(path, { line_id, product_id: shelf.ropeVariant, set_qty })).rejects.toThrow(fault);
    expect(await inCart(line_id)).toBe(2);
  });

  it('is read without JavaScript, too', async () => {
    const visitor = app.visitor();
    await visitor.form('/shop/cart/update', { product_id: shelf.ropeVariant, add_qty: '1,200' });
    expect((await visitor.get('/shop/cart')).text).toMatch(/name="set_qty" value="1200"/);
    const refused = await visitor.form('/shop/cart/update', { product_id: shelf.ropeVariant, add_qty: '1.5' });
    expect(refused.text).toContain('Enter a whole number.');
  });
});
