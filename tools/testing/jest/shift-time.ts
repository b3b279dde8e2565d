// Loaded first by the processes of a run with TEST_TIME: shifts their `Date`. Timers and `performance` aren't affected.

const shift = Number(process.env.TEST_TIME_SHIFT);

globalThis.Date = new Proxy(Date, {
  apply: (target) => new target(target.now() + shift).toString(),
  construct: (target, args, type) => Reflect.construct(target, args.length === 0 ? [target.now() + shift] : args, type),
  get: (target, name, receiver) => (name === 'now' ? () => target.now() + shift : Reflect.get(target, name, receiver)),
});
