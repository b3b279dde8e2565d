// Public exports for other parts; README.md explains the purpose of this part.

export { Parts, pointsOf } from './host.ts';
export { definePart, type Health, type Part, type PartHost, type PartOptions } from './part.ts';
