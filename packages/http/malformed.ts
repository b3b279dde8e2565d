import { ControlSignal, type ErrorDetails, PergolaError } from '@pergola/core';

/** A request that doesn't match what its address accepts: 400. */
export class Malformed extends PergolaError {
  override readonly status: number = 400;
}

/** A method the address doesn't support: 405. */
export class WrongMethod extends PergolaError {
  override readonly status: number = 405;
  readonly allow: readonly string[];

  constructor(message: string, details: ErrorDetails & { allow: readonly string[] }) {
    super(message, details);
    this.allow = details.allow;
  }
}

/** A request whose body comes too slowly: 408. */
export class TooSlow extends PergolaError {
  override readonly status: number = 408;
}

/** A host this site doesn't serve: 421. */
export class WrongHost extends PergolaError {
  override readonly status: number = 421;
}

/** The visitor disconnected before the request was complete, so no reply can be sent. */
export class Gone extends ControlSignal {
  override readonly name = 'Gone';
}
