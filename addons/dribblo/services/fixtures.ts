import type { Sheet } from '@pergola/web';
import { currentWebsite } from '@pergola/website';
import { app, fold, type Id, type Ids, momentAt, service } from 'pergola';
import { Competition } from '../models/club-competition.ts';
import { Match } from '../models/club-match.ts';
import { Team } from '../models/club-team.ts';
import { Venue } from '../models/club-venue.ts';
import { mark } from '../texts.ts';
import { type Fixture, type LineError, type ReadFixtures, readFixtures } from './fixture-list.ts';

export interface ImportOutcome {
  readonly created: number;
  readonly updated: number;
  /** Names of created teams. */
  readonly teams: readonly string[];
  /** Names of created venues. */
  readonly venues: readonly string[];
  readonly errors: readonly LineError[];
}

export interface ImportChoice {
  /** Resolves dates like 03/04/2027; null to infer it from the list. */
  readonly dayFirst: boolean | null;
  /** Whether to create unknown teams, as teams of other clubs. */
  readonly makeTeams: boolean;
  /** Whether to create unknown venues. */
  readonly makeVenues: boolean;
}

/** Records by folded name; null for ambiguous names. */
type ByName = ReadonlyMap<string, Id | null>;

function sorted(errors: readonly LineError[]): LineError[] {
  return errors.toSorted((a, b) => a.line - b.line);
}

interface Names {
  readonly teams: ByName;
  readonly competitions: ByName;
  readonly venues: ByName;
}

function byName(rows: readonly { readonly id: Id; readonly name: string }[]): ByName {
  const idsByName = new Map<string, Id | null>();
  for (const { id, name } of rows) {
    const key = fold(name);
    idsByName.set(key, idsByName.has(key) && idsByName.get(key) !== id ? null : id);
  }
  return idsByName;
}

/** An existing match with the same number. */
interface ExistingMatch {
  readonly id: Id;
  readonly isOver: boolean;
  readonly phase: string;
}

function errorsOf(
  fixture: Fixture,
  names: Names,
  knownMatches: ReadonlyMap<number, { isOver: boolean }>,
  { makeTeams, makeVenues }: ImportChoice,
): LineError[] {
  const { line, mnbr, receiver, visitor, competition, venue } = fixture;
  const errors: LineError[] = [];
  const addError = (text: string, value: string): void => void errors.push({ line, text, params: { value } });
  for (const team of [receiver, visitor]) {
    if (team === '') continue;
    const id = names.teams.get(fold(team));
    if (id === null) addError(mark('Several teams are called “{value}”.'), team);
    if (id === undefined && !makeTeams) addError(mark('No team is called “{value}”.'), team);
  }
  if (competition !== '' && !names.competitions.get(fold(competition)))
    addError(mark('No competition is called “{value}”.'), competition);
  if (venue !== '') {
    const id = names.venues.get(fold(venue));
    if (id === null) addError(mark('Several grounds are called “{value}”.'), venue);
    if (id === undefined && !makeVenues)
      addError(mark('No ground is called “{value}”. Add it under Grounds, or leave the cell empty.'), venue);
  }
  if (mnbr !== null && knownMatches.get(mnbr)?.isOver)
    addError(mark('Match number {value} already has a result and can’t be changed.'), String(mnbr));
  return errors;
}

function valuesOf(fixture: Fixture, names: Names, zone: string) {
  const { mnbr, day, time, receiver, visitor, competition, phase, venue } = fixture;
  return {
    ...(mnbr === null ? {} : { mnbr }),
    start_datetime: momentAt(day, time, zone),
    receiver_id: names.teams.get(fold(receiver)) ?? 0,
    visitor_id: names.teams.get(fold(visitor)) ?? 0,
    ...(competition === '' ? {} : { competition_id: names.competitions.get(fold(competition)) ?? null }),
    ...(phase === '' ? {} : { compet_phase: phase }),
    ...(venue === '' ? {} : { venue_id: names.venues.get(fold(venue)) ?? null }),
  };
}

/** Imports fixture lists of leagues as matches. */
export class Fixtures extends service('dribblo.fixtures', { ctx: app.ctx }) {
  /**
   * Imports a fixture list completely or not at all: if it contains errors, nothing is written and all of them are reported. Updates
   * matches with a known number, unless they have been played.
   */
  async import(sheet: Sheet, choice: ImportChoice): Promise<ImportOutcome> {
    const read = readFixtures(sheet, choice.dayFirst);
    const languages = (await currentWebsite(this.ctx))?.languages.map(({ code }) => code) ?? [this.ctx.lang];
    const names = await this.#knownNames(languages);
    const knownMatches = await this.#knownMatches(read);
    const errors = [
      ...read.errors,
      ...read.fixtures.flatMap((fixture) => errorsOf(fixture, names, knownMatches, choice)),
    ];
    if (errors.length > 0) return { created: 0, updated: 0, teams: [], venues: [], errors: sorted(errors) };
    const created = await this.#createMissing(read.fixtures, names);
    const zone = this.ctx.siteTimezone;
    const values = read.fixtures.map((fixture) => valuesOf(fixture, created.names, zone));
    const matches = this.ctx.model(Match);
    const fresh = values.filter(({ mnbr }) => mnbr === undefined || !knownMatches.has(mnbr));
    // Creates matches with explicit numbers first, so generated numbers don't collide with them.
    await matches.create(fresh.toSorted((a, b) => Number(a.mnbr === undefined) - Number(b.mnbr === undefined)));
    for (const { mnbr, compet_phase, ...value } of values) {
      const match = mnbr === undefined ? undefined : knownMatches.get(mnbr);
      if (!match) continue;
      // An unchanged phase keeps its translations; a new one replaces the text in all languages.
      const isNew = compet_phase !== undefined && compet_phase !== match.phase;
      const phase = isNew ? Object.fromEntries(languages.map((code) => [code, compet_phase])) : null;
      await matches.write(match.id, { ...value, ...(phase ? { compet_phase: phase } : {}) });
    }
    return {
      created: fresh.length,
      updated: values.length - fresh.length,
      teams: created.teams,
      venues: created.venues,
      errors: [],
    };
  }

  /** League files use their own language for competition names, whatever the user's language. */
  async #knownNames(languages: readonly string[]): Promise<Names> {
    const select = { name: true } as const;
    const competitions = [];
    for (const lang of languages)
      competitions.push(...(await this.ctx.as({ lang }).model(Competition).find([], { select })));
    return {
      teams: byName(await this.ctx.model(Team).find([], { select })),
      competitions: byName(competitions),
      venues: byName(await this.ctx.model(Venue).find([], { select })),
    };
  }

  async #knownMatches({ fixtures }: ReadFixtures): Promise<Map<number, ExistingMatch>> {
    const numbers = fixtures.flatMap(({ mnbr }) => (mnbr === null ? [] : [mnbr]));
    const rows = await this.ctx
      .model(Match)
      .find([['mnbr', 'in', numbers]], { select: { mnbr: true, is_res: true, compet_phase: true } });
    return new Map(
      rows.map(({ id, mnbr, is_res, compet_phase }) => [mnbr, { id, isOver: is_res, phase: compet_phase ?? '' }]),
    );
  }

  /**
   * Creates missing teams and venues.
   *
   * @returns their names, and all records by name
   */
  async #createMissing(fixtures: readonly Fixture[], names: Names) {
    const teams = missingNames(
      fixtures.flatMap(({ receiver, visitor }) => [receiver, visitor]),
      names.teams,
    );
    const venues = missingNames(
      fixtures.map(({ venue }) => venue),
      names.venues,
    );
    const teamIds = await this.ctx.model(Team).create(teams.map((name) => ({ name, is_ours: false })));
    const venueIds = await this.ctx.model(Venue).create(venues.map((name) => ({ name })));
    return {
      teams,
      venues,
      names: {
        ...names,
        teams: withCreated(names.teams, teams, teamIds),
        venues: withCreated(names.venues, venues, venueIds),
      },
    };
  }
}

/** Unique names without a record. */
function missingNames(names: readonly string[], existing: ByName): string[] {
  const namesByFold = new Map(names.toReversed().map((name) => [fold(name), name]));
  return [...namesByFold.values()].toReversed().filter((name) => name !== '' && !existing.has(fold(name)));
}

function withCreated(existing: ByName, names: readonly string[], ids: Ids): ByName {
  return new Map([...existing, ...names.map((name, index) => [fold(name), ids[index] ?? null] as const)]);
}
