/** A record's number, unique in its table. */
export type Id = number;
export type Ids = readonly Id[];
