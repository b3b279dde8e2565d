import { byLanguage, type Client, createTestApp, inOrder, type TestApp } from 'pergola/testing';
import { address, sendPayment } from './kit.ts';

describe('Without JavaScript', () => {
  let app: TestApp;
  let apron: string;
  let lantern: string;
  let belgium: number;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], demo: true });
    const names = ['website_sale.product_apron', 'website_sale.product_lantern', 'base.be'];
    const [product, counted, country = 0] = await app.read((ctx) => Promise.all(names.map((name) => ctx.ref(name))));
    [apron, lantern] = [`/shop/product/${product}`, `/shop/product/${counted}`];
    belgium = country;
  });
  afterAll(() => app.close());

  const words = {
    en: {
      apron: 'Linen apron',
      inStock: 'In stock',
      add: 'Add to Cart',
      show: 'Enlarge image',
      search: 'Search',
      update: 'Update',
      cart: 'My Cart 3 /shop/cart',
      apply: 'Apply',
      wrongCode: 'This promo code isn’t valid.',
      prices: 'Pricelist: Members of La Tonnelle',
      remove: /^Remove Linen apron/,
      clear: 'Clear Cart',
      empty: 'Your cart is empty',
      checkout: 'Process Checkout',
      signIn: 'Have an account? Sign in',
      confirm: 'Confirm',
      missing: 'Enter an email address.',
      pay: /^Pay Now: .*Transfer/,
      payOn: 'Your order is ready. One more step to pay.',
      status: /^We’ve received your order\. It’s awaiting payment\.$/,
    },
    fr: {
      apron: 'Tablier en lin',
      inStock: 'En stock',
      add: 'Ajouter au panier',
      show: 'Agrandir l’image',
      search: 'Rechercher',
      update: 'Mettre à jour',
      cart: 'Mon panier 3 /fr/shop/cart',
      apply: 'Appliquer',
      wrongCode: 'Ce code promo n’est pas valide.',
      prices: 'Membres de La Tonnelle',
      remove: /^Retirer Tablier en lin/,
      clear: 'Vider le panier',
      empty: 'Votre panier est vide',
      checkout: 'Commander',
      signIn: 'Vous avez un compte ? Connectez-vous',
      confirm: 'Confirmer',
      missing: 'Saisissez une adresse e-mail.',
      pay: /^Payer maintenant : .*[Vv]irement/,
      payOn: 'Votre commande est prête.',
      status: /^Nous avons bien reçu votre commande\. .*\.$/,
    },
  };

  describe.each(byLanguage(words))('in the shop at "$at"', ({ at, say }) => {
    inOrder();
    let client: Client;
    beforeAll(async () => {
      client = app.visitor();
    });

    it('one finds things, and the way to the cart', async () => {
      const { read } = await client.press(`${at}/shop`, 'website_sale.ProductList', say.search, { search: say.apron });
      expect(read).toContain(say.apron);
      expect(await client.readIsland(`${at}/shop`, 'website_sale.CartLink')).toContain(`${at}/shop/cart`);
    });

    it('one looks at a product, and sees what is left of it', async () => {
      expect(await client.readIsland(at + apron, 'website_sale.Pictures')).toContain(say.show);
      expect(await client.readIsland(at + lantern, 'website_sale.Stock')).toContain(say.inStock);
    });

    it('one puts a product into the cart', async () => {
      const { status, read } = await client.press(at + apron, 'website_sale.Choice', say.add, { add_qty: '2' });
      expect([status, read]).toEqual([200, expect.stringContaining(say.apron)]);
      expect(read).toContain('set_qty=2');
    });

    it('one changes the quantity', async () => {
      const { read } = await client.press(`${at}/shop/cart`, 'website_sale.Cart', say.update, { set_qty: '3' });
      expect(read).toContain('set_qty=3');
      expect(await client.readIsland(`${at}/shop`, 'website_sale.CartLink')).toBe(say.cart);
    });

    it('one tries a promo code, and another one', async () => {
      const wrong = await client.press(`${at}/shop/cart`, 'website_sale.Cart', say.apply, { promo: 'NOTHING' });
      expect(wrong.read).toContain(say.wrongCode);
      const right = await client.press(`${at}/shop/cart`, 'website_sale.Cart', say.apply, { promo: 'TONNELLE' });
      expect(right.read).toContain(say.prices);
    });

    it('one gives an address, is told what is missing, and finds the way to an account', async () => {
      expect(await client.readIsland(`${at}/shop/checkout`, 'website_sale.SignIn')).toContain(say.signIn);
      const press = (fields: Record<string, string>) =>
        client.press(`${at}/shop/checkout`, 'website_sale.Checkout', say.confirm, fields);
      expect((await press({ name: 'Ada' })).read).toContain(say.missing);
      const { read } = await press({ ...address, country_id: String(belgium) });
      expect(read).toContain(say.apron);
      expect(read).toContain('12 Garden Lane');
    });

    it('one pays', async () => {
      const { status, read, text } = await client.press(`${at}/shop/payment`, 'sale.Payment', say.pay);
      expect([status, read]).toEqual([200, expect.stringContaining(say.payOn)]);
      await client.get(await sendPayment(client, text));
      expect(await client.readIsland(`${at}/shop/confirmation`, 'website_sale.Status')).toMatch(say.status);
      expect(await client.readIsland(`${at}/shop/confirmation`, 'sale.BankBox')).toMatch(/FR76 3000 .* SO\d{5}/);
    });

    it('one takes out a line, and all of them', async () => {
      const other = app.visitor();
      await other.press(at + apron, 'website_sale.Choice', say.add);
      const { read } = await other.press(`${at}/shop/cart`, 'website_sale.Cart', say.remove);
      expect(read).toContain(say.empty);
      await other.press(at + apron, 'website_sale.Choice', say.add);
      expect((await other.press(`${at}/shop/cart`, 'website_sale.Cart', say.clear)).read).toContain(say.empty);
    });
  });
});
