import { type AddonServices, buildContainer } from '../container.ts';
import { type Key, requestValue, value } from '../key.ts';
import { extendService, service } from '../service.ts';

const clock = value<() => number>('clock');
const ctx = requestValue<{ readonly user: string }>('ctx');

class Prices extends service('shop.prices', { clock }) {
  of(product: string): number {
    return product.length + this.clock();
  }
}
class Basket extends service('shop.basket', { prices: Prices, ctx }) {
  line(product: string): string {
    return `${this.ctx.user}: ${this.prices.of(product)}`;
  }
}

const build = (...addons: (readonly [string, AddonServices['services']])[]) =>
  buildContainer({
    values: { clock: () => 7 },
    requestValues: ['ctx'],
    addons: addons.map(([addon, services]) => ({ addon, services })),
  });
const problems = (...addons: Parameters<typeof build>) => build(...addons).problems.map(({ message }) => message);

describe('The container', () => {
  it('hands services what they need, other services among it', async () => {
    const { container, problems } = build(['shop', [Prices, Basket]]);
    expect(problems).toEqual([]);
    const scope = container.scope({ ctx: { user: 'ada' } });
    expect(scope.get(Basket).line('mug')).toBe('ada: 10');
    await scope.dispose();
    await container.dispose();
  });

  it('makes a service once a request when it, or what it needs, needs the request, and else once', () => {
    class Receipt extends service('shop.receipt', { basket: Basket }) {}
    const { container } = build(['shop', [Prices, Basket, Receipt]]);
    const [first, second] = [container.scope({ ctx: { user: 'ada' } }), container.scope({ ctx: { user: 'bob' } })];
    expect(first.get(Prices)).toBe(second.get(Prices));
    expect(first.get(Basket)).toBe(first.get(Basket));
    expect(first.get(Basket)).not.toBe(second.get(Basket));
    expect(first.get(Receipt)).not.toBe(second.get(Receipt));
    expect(second.get(Receipt).basket.ctx.user).toBe('bob');
  });

  it('answers nothing of a request that has ended, and nothing of it to the next one', async () => {
    const { container } = build(['shop', [Prices, Basket]]);
    const first = container.scope({ ctx: { user: 'ada' } });
    const basket = first.get(Basket);
    await first.dispose();
    expect(() => first.get(Basket)).toThrow('"shop.basket" was asked for after the request had ended.');
    expect(first.get(Prices).of('mug')).toBe(10);
    const next = container.scope({ ctx: { user: 'bob' } });
    const nextBasket = next.get(Basket);
    expect(nextBasket).not.toBe(basket);
    await first.dispose();
    expect(next.get(Basket)).toBe(nextBasket);
    expect(nextBasket.line('mug')).toBe('bob: 10');
    expect(() => first.get(Basket)).toThrow('had ended');
    expect(basket.line('mug')).toBe('ada: 10');
  });

  it('lets other addons extend a service: for whoever asks for it, and for services that need it', () => {
    const rate = value<number>('rate');
    const twice = extendService(
      Prices,
      { clock },
      (Base) =>
        class extends Base {
          override of(product: string): number {
            return super.of(product) * 2;
          }
        },
    );
    const plusRate = extendService(
      Prices,
      { rate },
      (Base) =>
        class extends Base {
          override of(product: string): number {
            return super.of(product) + this.rate;
          }
        },
    );
    const { container } = buildContainer({
      values: { clock: () => 7, rate: 100 },
      requestValues: ['ctx'],
      addons: [
        { addon: 'shop', services: [Prices, Basket] },
        { addon: 'sale', services: [twice] },
        { addon: 'tax', services: [plusRate] },
      ],
    });
    expect(container.get(Prices).of('mug')).toBe(120);
    expect(
      container
        .scope({ ctx: { user: 'ada' } })
        .get(Basket)
        .line('mug'),
    ).toBe('ada: 120');
    expect(
      build(['shop', [Prices]])
        .container.get(Prices)
        .of('mug'),
    ).toBe(10);
  });

  it('ends what services keep open with their request or generation', async () => {
    const ended: string[] = [];
    class Once extends service('fx.once') {
      dispose(): void {
        ended.push('once');
      }
    }
    class Each extends service('fx.each', { once: Once, ctx }) {
      dispose(): void {
        ended.push('each');
      }
    }
    const { container } = build(['fx', [Once, Each]]);
    const scope = container.scope({ ctx: { user: 'ada' } });
    scope.get(Each);
    await scope.dispose();
    expect(ended).toEqual(['each']);
    await container.dispose();
    expect(ended).toEqual(['each', 'once']);
  });

  it('tells what is missing, taken, or in a circle', () => {
    class Mailer extends service('mail.mailer') {}
    class Greeter extends service('fx.greeter', { mail: Mailer }) {}
    const needsB: Record<string, Key<unknown>> = {};
    class A extends service('fx.a', needsB) {}
    class B extends service('fx.b', { a: A }) {}
    needsB.b = B.key;
    const extension = extendService(Mailer, {}, (Base) => class extends Base {});
    expect(problems(['fx', [Greeter]])).toEqual([
      'service "fx.greeter" needs service "mail.mailer" (as `mail`), which no enabled addon provides.',
    ]);
    expect(problems(['shop', [Prices]], ['other', [Prices]])).toEqual([
      'service "shop.prices" is already provided by addon shop.',
    ]);
    expect(problems(['fx', [A, B]])).toEqual(['services need each other in a circle: "fx.a" → "fx.b" → "fx.a".']);
    expect(problems(['fx', [extension]])).toEqual([
      'extends service "mail.mailer", which no addon before it provides.',
    ]);
    expect(() => build().container.get(Mailer)).toThrow(/"mail.mailer" is not there/);
  });
});
