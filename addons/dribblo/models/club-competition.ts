import { type FieldsOf, f, type Ids, model, type Values } from 'pergola';
import { usualTieBreaks } from './club-competition-rule.ts';

/** A league or cup of a season, with its tie-breakers. */
export class Competition extends model(
  'club.competition',
  {
    name: f.char({ required: true, size: 120, translate: true }),
    season_id: f.many2one('club.season', { ondelete: 'restrict', index: true }),
    category_id: f.many2one('club.category', { ondelete: 'restrict' }),
    has_standings: f.boolean({ default: true, label: 'Has standings', help: 'Turn off for cups' }),
    points_win: f.integer({ default: 3, min: 0, max: 10, label: 'Points for a win' }),
    points_draw: f.integer({ default: 1, min: 0, max: 10, label: 'Points for a draw' }),
    points_loss: f.integer({ default: 0, min: -5, max: 10, label: 'Points for a defeat' }),
    points_forfeit: f.integer({ default: 0, min: -5, max: 10, label: 'Points for a forfeit' }),
    forfeit_goals: f.integer({ default: 3, min: 1, max: 20, label: 'Goals conceded on forfeit' }),
    rule_ids: f.one2many('club.competition.rule', 'competition_id', {
      label: 'Tie-break rules',
      order: 'sequence, id',
    }),
    team_ids: f.many2many('club.team', {
      empty: 'none',
      label: 'Teams',
      relation: { table: 'club_competition_team_rel', from: 'competition_id', to: 'team_id' },
    }),
    adjustment_ids: f.one2many('club.competition.adjustment', 'competition_id', { label: 'Points adjustments' }),
    match_ids: f.one2many('club.match', 'competition_id', { label: 'Matches' }),
  },
  { order: 'name, id', label: 'Competition', search: ['name'] },
) {
  /** Adds the default tie-breakers to competitions without rules. */
  override async beforeCreate(
    values: readonly Values<FieldsOf<Competition>>[],
  ): Promise<readonly Values<FieldsOf<Competition>>[]> {
    const rules = usualTieBreaks.map((rule, index) => ({ create: { rule, sequence: (index + 1) * 10 } }));
    return super.beforeCreate(values.map((value) => (value.rule_ids ? value : { ...value, rule_ids: rules })));
  }

  /** Tie-breakers of each competition, in order. */
  async tieBreaksOf(ids: Ids) {
    const rows = await this.read(ids, { select: { rule_ids: { rule: true } } });
    return new Map(rows.map(({ id, rule_ids }) => [id, rule_ids.map(({ rule }) => rule)]));
  }
}

declare module 'pergola' {
  interface Models {
    'club.competition': Competition;
  }
}
