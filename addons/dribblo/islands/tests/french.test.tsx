import 'pergola/testing/in-french';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ready } from 'pergola/browser';
import CallUpAnswer from '../call-up-answer.tsx';
import KeptScores from '../kept-scores.tsx';
import MatchWeek from '../match-week.tsx';
import { keep } from '../parts/kept-scores.ts';
import Score from '../score.tsx';
import Social from '../social.tsx';
import TeamFilter from '../team-filter.tsx';
import Wall from '../wall.tsx';
import { serve } from './kit.ts';

const week = {
  week: 0,
  previous: -1,
  next: 1,
  label: 'Semaine 47',
  days: '16 – 22 nov.',
  team: null,
  categ: null,
  player: null,
  name: '',
};
const social = { network: 'Facebook', name: 'club', page: 'https://www.facebook.com/club', frame: '/f', height: 180 };
const wall = { wallId: 1, posts: [], total: 0, more: 0, waiting: [], mayPost: true, onApproval: false };
const goals = { receiver_res: '1', visitor_res: '0', receiver_shot: '', visitor_shot: '', forfeit_by: '' };
const team = (name: string) => ({ name, image: '/a.svg' });

beforeAll(() => ready);
beforeEach(() => void serve({}));
afterEach(cleanup);

it.each([
  ['Social', <Social key="" {...social} />, 'Afficher club'],
  ['TeamFilter', <TeamFilter key="" days="" teams={[]} />, 'Toutes les équipes'],
  ['MatchWeek', <MatchWeek key="" first={week} categories={[]} teams={[]} />, 'Semaine suivante'],
  ['Wall', <Wall key="" {...wall} />, 'Aucun message pour le moment.'],
])('%s speaks French', (_name, island, text) => {
  render(island);
  expect(screen.getByText(text)).toBeDefined();
});

it('So does the answer to a call-up', async () => {
  serve({ '/fr/convocations/answer/abc': () => true });
  render(<CallUpAnswer token="abc" chosen={null} answered={null} saved={false} comment="" />);
  await userEvent.click(screen.getByLabelText('Présent'));
  await userEvent.click(screen.getByRole('button', { name: 'Envoyer la réponse' }));
  expect(await screen.findByText('Merci, votre présence est notée.')).toBeDefined();
});

it('So does a result, and what waits on the phone', async () => {
  render(
    <Score
      {...{ mnbr: 12, receiver: team('Nous'), visitor: team('Eux'), states: [{ value: 'played', label: 'Joué' }] }}
      values={{ seen: '', state: 'played', ...goals }}
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Enregistrer le résultat' }));
  expect(await screen.findByText(/^Vous êtes hors ligne\. Le résultat est enregistré/)).toBeDefined();
  keep('13', { title: 'Nous – Eux', fields: {} });
  render(<KeptScores />);
  expect(
    screen.getByText(
      'Ces résultats sont enregistrés sur ce téléphone, mais pas encore envoyés. Ouvrez-en un pour l’envoyer.',
    ),
  ).toBeDefined();
  expect(screen.getAllByRole('link', { name: 'Nous – Eux' })[0]?.getAttribute('href')).toMatch(/^\/fr\/matchs\/1/);
});
