/** A record's number, unique in its table. */
export type Id = number;
/** Numbers of several records. */
export type Ids = readonly Id[];
