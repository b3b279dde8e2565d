/**
 * Additional model API: describing and calling models by name, validating external values, types for generic code, and raw database values
 * (`ctx.db`).
 */

export { codecOf } from '@pergola/db';
export * from '@pergola/orm/public';
