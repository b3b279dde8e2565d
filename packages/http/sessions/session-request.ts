import { createHmac } from 'node:crypto';
import type { Id } from '@pergola/orm';
import type { Addons, RequestSession, SessionDraft } from './session.ts';
import { SessionChange } from './session-change.ts';
import type { SessionRow } from './session-rows.ts';
import type { Caller, SessionWriter } from './session-writer.ts';

/** Dependencies of a session on the store. */
export interface SessionTools {
  readonly secret: string;
  readonly writer: SessionWriter;
  /** Records the groups of a session's user in the background. */
  noteRights(row: SessionRow, rights: string): void;
  /** Digest of a set of groups, followed by a dot and a digest of the enabled addons they come from. */
  rightsOf(groups: ReadonlySet<string>, addons: Addons): string;
}

/** Part of `rights` that stands for the addons, or undefined if the session was stored before they were recorded. */
function addonsIn(rights: string): string | undefined {
  return rights.split('.')[1];
}

/** The session of a request, whether or not it exists. */
export class VisitorSession implements RequestSession {
  readonly #row: SessionRow | null;
  readonly #tools: SessionTools;
  #csrfSecret: Uint8Array | null = null;
  /** Current rights, if they differ from those the session started with. */
  #changedRights: string | null = null;

  constructor(row: SessionRow | null, tools: SessionTools) {
    this.#row = row;
    this.#tools = tools;
  }

  get exists(): boolean {
    return this.#row !== null;
  }

  get userId(): Id | null {
    return this.#row?.userId ?? null;
  }

  get csrfSecret(): Uint8Array | null {
    if (this.#row === null) return null;
    this.#csrfSecret ??= createHmac('sha256', this.#tools.secret)
      .update(`core.csrf:${this.#row.salt}`)
      .digest()
      .subarray(0, 16);
    return this.#csrfSecret;
  }

  noteGroups(groups: ReadonlySet<string>, addons: Addons): void {
    const row = this.#row;
    if (row === null || row.userId === null) return;
    const rights = this.#tools.rightsOf(groups, addons);
    if (row.rights === rights) return;
    // A switch adds or removes groups of addons: the user's own rights haven't changed.
    if (row.rights === null || addonsIn(row.rights) !== addonsIn(rights)) this.#tools.noteRights(row, rights);
    else this.#changedRights = rights;
  }

  draft(): SessionDraft {
    return new Draft(this.#row, this.#tools, () => this.#changedRights);
  }
}

class Draft implements SessionDraft {
  readonly #row: SessionRow | null;
  readonly #tools: SessionTools;
  readonly #changedRights: () => string | null;
  readonly #change = new SessionChange();

  constructor(row: SessionRow | null, tools: SessionTools, changedRights: () => string | null) {
    this.#row = row;
    this.#tools = tools;
    this.#changedRights = changedRights;
  }

  get exists(): boolean {
    return this.#row !== null;
  }

  get number(): number | null {
    return this.#row?.number ?? null;
  }

  get changed(): boolean {
    return !this.#change.isEmpty;
  }

  get(key: string): unknown {
    if (this.#change.values.has(key)) return structuredClone(this.#change.values.get(key));
    const data = this.#change.ends ? undefined : this.#row?.data;
    // A copy: the row is shared by all requests of the session.
    return data && Object.hasOwn(data, key) ? structuredClone(data[key]) : undefined;
  }

  set(key: string, value: unknown): void {
    this.#change.values.set(key, value === undefined ? undefined : structuredClone(value));
  }

  signIn(userId: Id): void {
    this.#change.signIn(userId);
  }

  signOut(): void {
    this.#change.signOut();
  }

  renew(): void {
    this.#change.renews = true;
  }

  async commit(caller: Caller): Promise<readonly string[]> {
    if (this.changed) return this.#tools.writer.apply(this.#row, this.#change, caller);
    const rights = this.#changedRights();
    return this.#row && rights !== null ? this.#tools.writer.replace(this.#row, rights) : [];
  }
}
