// What other parts may import; README.md says what the part is for.

export { Parts, pointsOf } from './host.ts';
export { definePart, type Health, type Part, type PartHost, type PartOptions } from './part.ts';
