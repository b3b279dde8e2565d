import { buildServices } from '../container.ts';
import type { Ctx } from '../context.ts';
import { createLog } from '../log.ts';
import { model } from '../model/model.ts';
import { kernel, type ServiceToken, service } from '../service.ts';

class Thing extends model('fx.thing', {}) {}

const values = { config: {} as never, log: createLog('silent'), files: {} as never };
const build = (services: readonly ServiceToken<unknown>[], models: readonly string[] = []) =>
  buildServices([{ name: 'fx', services }], values, new Set(models));
const messages = (services: readonly ServiceToken<unknown>[], models: readonly string[] = []) =>
  build(services, models).problems.map(({ message }) => message);
const ctx = { model: () => 'the bound model' } as unknown as Ctx;

describe('The container', () => {
  it('gives a service exactly what it declared', async () => {
    const clock = service('fx.clock', { make: () => ({ now: () => 7 }) });
    const greeter = service('fx.greeter', {
      lifetime: 'request',
      deps: { clock, ctx: kernel.ctx, things: Thing },
      make: (deps) => ({ names: Object.keys(deps), at: deps.clock.now(), things: deps.things }),
    });
    const { container, problems } = build([clock, greeter], ['fx.thing']);
    expect(problems).toEqual([]);
    const scope = container.scope(ctx);
    expect(scope.resolve(greeter)).toEqual({ names: ['clock', 'ctx', 'things'], at: 7, things: 'the bound model' });
    await scope.dispose();
  });

  it('makes singletons once, request services once a context, and disposes both', async () => {
    const disposed: string[] = [];
    const one = service('fx.one', { make: () => ({}), dispose: () => void disposed.push('one') });
    const each = service('fx.each', {
      lifetime: 'request',
      deps: { one },
      make: () => ({}),
      dispose: () => void disposed.push('each'),
    });
    const { container } = build([one, each]);
    const [first, second] = [container.scope(ctx), container.scope(ctx)];
    expect(first.resolve(one)).toBe(second.resolve(one));
    expect(first.resolve(each)).toBe(first.resolve(each));
    expect(first.resolve(each)).not.toBe(second.resolve(each));
    await first.dispose();
    expect(disposed).toEqual(['each']);
    await second.dispose();
    await container.dispose();
    expect(disposed).toEqual(['each', 'each', 'one']);
  });

  it('names a service that nobody provides, and who needs it', () => {
    const missing = service('mail.sender', { make: () => ({}) });
    expect(messages([service('fx.greeter', { deps: { mail: missing }, make: () => ({}) })])).toEqual([
      'service "fx.greeter" needs service "mail.sender" (as mail), which no enabled addon provides.',
    ]);
  });

  it('names a model that nobody brings', () => {
    expect(
      messages([service('fx.greeter', { lifetime: 'request', deps: { things: Thing }, make: () => ({}) })]),
    ).toEqual(['service "fx.greeter" needs model fx.thing (as things), which no enabled addon brings.']);
  });

  it('tells a circle once, with its way', () => {
    const a: ServiceToken<unknown> = {
      kind: 'service',
      name: 'fx.a',
      lifetime: 'singleton',
      deps: {},
      make: () => ({}),
    };
    const b = service('fx.b', { deps: { a }, make: () => ({}) });
    const closed = { ...a, deps: { b } };
    expect(messages([closed, b])).toEqual(['services need each other in a circle: fx.a → fx.b → fx.a.']);
  });

  it.each([
    ['a model', service('fx.one', { deps: { things: Thing }, make: () => ({}) }), 'model fx.thing'],
    ['the context', service('fx.one', { deps: { ctx: kernel.ctx }, make: () => ({}) }), 'the request context'],
  ])('refuses a singleton that reaches for %s', (_, token, what) => {
    expect(messages([token], ['fx.thing'])).toEqual([
      `singleton service "fx.one" reaches for ${what}, which lives only as long as one request.`,
    ]);
  });

  it('says so when a service is asked for whose addon is not enabled', () => {
    const absent = service('forum.karma', { make: () => ({}) });
    expect(() => build([]).container.scope(ctx).resolve(absent)).toThrow(/"forum.karma" is not there/);
  });

  it('refuses a name twice', () => {
    const one = service('fx.one', { make: () => ({}) });
    expect(messages([one, service('fx.one', { make: () => ({}) })])).toEqual([
      'service "fx.one" is already provided by addon fx.',
    ]);
  });
});
