/** What islands of other addons may use of the shop's. */
export { buyer } from './islands/parts/buyer.ts';
