/** More of the models: describing and calling them by name, values from outside, types for generic code, and the database’s own values (`ctx.db`). */

export { codecOf } from '@pergola/db';
export * from '@pergola/orm/public';
