// Loaded first by the processes of a run with TEST_TIME: shifts their `Date`. Timers and `performance` aren't affected.

const shift = Number(process.env.TEST_TIME_SHIFT);

globalThis.Date = new Proxy(Date, {
  apply: (target) => new target(target.now() + shift).toString(),
  construct: (target, given, type) =>
    Reflect.construct(target, given.length === 0 ? [target.now() + shift] : given, type),
  get: (target, name, receiver) => (name === 'now' ? () => target.now() + shift : Reflect.get(target, name, receiver)),
});
