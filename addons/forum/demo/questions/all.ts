import { garden } from './garden.ts';
import { house } from './house.ts';
import { jardin } from './jardin.ts';
import { maison } from './maison.ts';
import type { DemoQuestion } from './shape.ts';

/** The sixty questions of the demo forum, thirty in each language. */
export const questions: readonly DemoQuestion[] = [...garden, ...house, ...jardin, ...maison];
