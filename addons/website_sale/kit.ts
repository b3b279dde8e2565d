/** Shop helpers for islands of other addons. */
export { buyer } from './islands/parts/buyer.ts';
