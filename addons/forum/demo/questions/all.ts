import { garden } from './garden.ts';
import { house } from './house.ts';
import { jardin } from './jardin.ts';
import { maison } from './maison.ts';
import type { DemoQuestion } from './shape.ts';

/** French questions, which belong to a separate forum. */
export const inFrench: ReadonlySet<DemoQuestion> = new Set([...jardin, ...maison]);

/** All sixty demo questions, thirty per language. */
export const questions: readonly DemoQuestion[] = [...garden, ...house, ...jardin, ...maison];
