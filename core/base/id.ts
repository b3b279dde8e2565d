/** Id of a record, unique in its table. */
export type Id = number;
/** Ids of several records. */
export type Ids = readonly Id[];
