import { garden } from './garden.ts';
import { house } from './house.ts';
import { jardin } from './jardin.ts';
import { maison } from './maison.ts';
import type { DemoQuestion } from './shape.ts';

/** Questions in French, which are asked in a forum of their own. */
export const inFrench: ReadonlySet<DemoQuestion> = new Set([...jardin, ...maison]);

/** The sixty questions of the demo, thirty in each language. */
export const questions: readonly DemoQuestion[] = [...garden, ...house, ...jardin, ...maison];
