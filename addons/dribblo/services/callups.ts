import { app, Conflict, type Id, type Ids, NotFound, service } from 'pergola';
import { Convocation } from '../models/club-convocation.ts';
import { ConvocationLine } from '../models/club-convocation-line.ts';
import { Guardian } from '../models/club-guardian.ts';
import { type CallUpLink, readCallUpToken } from './callup-links.ts';
import { MATCH_LENGTH, Matches, type MatchView } from './matches.ts';

/** A call-up as shown to the public: who is called up, but not their answers. */
export interface CallUpView {
  readonly team: string;
  readonly match: MatchView;
  readonly meeting: Date | null;
  readonly place: string;
  readonly note: string;
  readonly players: readonly { readonly name: string; readonly number: number | null }[];
  readonly count: number;
}

/** Call-ups, both for the public and for answering by link. */
export class CallUps extends service('dribblo.callups', { ctx: app.ctx, matches: Matches }) {
  /** Published call-ups of some teams for upcoming matches, soonest first; limited to one match if `match` is given. */
  async published(filter: { teams?: Ids; match?: Id }): Promise<CallUpView[]> {
    const matches = await this.#coming(filter.match);
    // Visitors can only read published call-ups; lines and members are read for them, and only public names are returned.
    const rows = await this.ctx
      .sudo()
      .model(Convocation)
      .find(
        [
          ['website_published', '=', true],
          ['match_id', 'in', [...matches.keys()]],
          ...(filter.teams ? ([['team_id', 'in', filter.teams]] as const) : []),
        ],
        {
          select: {
            match_id: true,
            team_id: { name: true },
            meeting_datetime: true,
            meeting_place: true,
            note: true,
            line_ids: { member_id: { public_name: true, number: true } },
          },
        },
      );
    return rows
      .flatMap((row) => {
        const match = matches.get(row.match_id);
        if (!match) return [];
        const players = row.line_ids
          .flatMap(({ member_id }) =>
            member_id ? [{ name: member_id.public_name ?? '', number: member_id.number }] : [],
          )
          .sort((a, b) => (a.number ?? 100) - (b.number ?? 100) || a.name.localeCompare(b.name));
        return [
          {
            team: row.team_id?.name ?? '',
            match,
            meeting: row.meeting_datetime,
            place: row.meeting_place ?? '',
            note: row.note ?? '',
            players,
            count: players.length,
          },
        ];
      })
      .sort((a, b) => a.match.start.getTime() - b.match.start.getTime());
  }

  /** Returns the call-up of a link. */
  async of(token: string) {
    const link = readCallUpToken(this.ctx, token);
    const line = link ? await this.#readLine(link) : null;
    const call = line?.convocation_id;
    const match = call?.match_id;
    if (!link || !line || !call?.website_published || !match || !line.member_id) {
      throw new NotFound('This link is invalid, or the call-up was withdrawn.', { code: 'dribblo.no_callup' });
    }
    // Whether it can still be answered: not for past matches.
    const open = match.state === 'planned' && match.start_datetime > this.ctx.now();
    return { link, line, call, match, member: line.member_id, open };
  }

  /**
   * Saves an answer given by link. The last answer counts.
   *
   * @throws Conflict once the match has started or is cancelled
   */
  async answer(token: string, answer: 'yes' | 'no', comment: string): Promise<void> {
    const { link, open } = await this.of(token);
    if (!open) throw new Conflict('It’s too late to answer for this match.', { code: 'dribblo.callup_over' });
    await this.ctx.lock(ConvocationLine, [link.line]);
    // The link authorises the answer; no account is needed.
    await this.ctx
      .sudo()
      .model(ConvocationLine)
      .write(link.line, {
        answer,
        comment: comment.trim() || null,
        answered_date: new Date(this.ctx.now().getTime()),
        answered_by_id: link.partner,
      });
  }

  async #coming(match: Id | undefined): Promise<Map<Id, MatchView>> {
    const views = await this.matches.views(
      match === undefined
        ? [
            ['state', '=', 'planned'],
            ['start_datetime', '>', this.ctx.now().plus(-MATCH_LENGTH)],
            ['convocation_ids.website_published', '=', true],
          ]
        : [['id', '=', match]],
      { limit: 50 },
    );
    return new Map(views.map((view) => [view.id, view]));
  }

  /** Reads a line for its link; null if the contact is no longer the member or a guardian. */
  async #readLine({ line, partner }: CallUpLink) {
    const row = await this.ctx
      .sudo()
      .model(ConvocationLine)
      .first([['id', '=', line]], {
        select: {
          answer: true,
          comment: true,
          member_id: { name: true, partner_id: true },
          convocation_id: {
            website_published: true,
            meeting_datetime: true,
            meeting_place: true,
            note: true,
            team_id: { name: true },
            match_id: { start_datetime: true, state: true, mnbr: true },
          },
        },
      });
    if (!row?.member_id) return null;
    if (row.member_id.partner_id === partner) return row;
    const guards = await this.ctx
      .sudo()
      .model(Guardian)
      .count([
        ['member_id', '=', row.member_id.id],
        ['partner_id', '=', partner],
      ]);
    return guards > 0 ? row : null;
  }
}
