/** Words that do not fit the command. */
export class UsageError extends Error {}
