/** @jest-environment jsdom */
import 'pergola/testing/in-french';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ready } from 'pergola/browser';
import Answer from '../answer.tsx';
import Ask from '../ask.tsx';
import Comment from '../comment.tsx';
import Favourite from '../favourite.tsx';
import Flag from '../flag.tsx';
import Follow from '../follow.tsx';
import Gate from '../gate.tsx';
import Notes from '../notes.tsx';
import Queue from '../queue.tsx';
import Validation from '../validation.tsx';
import Visit from '../visit.tsx';
import Votes from '../votes.tsx';
import { serve, toasts } from './kit.ts';

const needs = { upvote: null, downvote: null, accept: null };
const base = '/forum/entraide-1/post/7';

beforeEach(() => ready);

test('Votes speak French, and count in it', async () => {
  serve({ [`${base}/upvote`]: { error: 'anonymous_user' } });
  render(<Votes base={base} count={1234} vote={0} mayVote={false} accepted={false} needs={needs} />);
  expect(screen.getByRole('button', { name: 'Réponse acceptée' })).toBeDefined();
  expect(document.querySelector('[data-vote-count]')?.textContent).toBe('1\u202f234');
  expect(document.forms[0]?.action).toContain(`/fr${base}/upvote/form`);
  await userEvent.click(screen.getAllByRole('button')[0] as HTMLElement);
  await waitFor(() => expect(toasts()).toEqual(['Désolé, vous devez être connecté pour voter Se connecter']));
});

test('So does all that is about a post', async () => {
  render(
    <>
      <Favourite base="/forum/entraide-1/question/7" isOn={false} count={0} />
      <Follow id={7} object="forum.post" isFollowed={false} path="/" />
      <Flag base={base} needs={null} />
      <Gate needs={3}>
        <button type="button">x</button>
      </Gate>
    </>,
  );
  expect(screen.getByRole('button', { name: 'Favori' })).toBeDefined();
  expect(screen.getByText('Suivre')).toBeDefined();
  expect(screen.getByText('Signaler')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'x' }));
  expect(toasts().at(-1)).toContain('3 points de karma');
});

test('So do the forms to write', () => {
  const errors = {};
  render(
    <>
      <Ask
        {...{ action: '/a', back: '/b', draft: 'd', kind: 'question', forum: 1, title: '', titleSize: 200, tags: [] }}
        {...{ similar: null, tagNeeds: 75, mayUseTools: true, errors }}
      />
      <Answer action="/a" draft="e" mayUseTools={true} needs={null} />
    </>,
  );
  expect(screen.getByText(/Il faut 75 points de karma pour créer une étiquette\./)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Publier votre réponse' })).toBeDefined();
});

test('So do the header and the queues', () => {
  render(
    <>
      <Notes forum={1} notes={[]} unread={0} path="/forum/entraide-1" />
      <Validation state="ask" forum={1} path="/" />
      <Queue name="flagged_queue" queues={[]} posts={[]} canModerate={true} />
    </>,
  );
  expect(screen.getByText('Aucune nouvelle notification.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Envoyer l’e-mail de confirmation' })).toBeDefined();
  expect(screen.getByText('Rien à examiner.')).toBeDefined();
});

test('So does the question before a comment goes', async () => {
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true;
  };
  render(<Comment base={base} id={3} />);
  await userEvent.click(screen.getByRole('button', { name: 'Supprimer' }));
  expect(await screen.findByText('Supprimer ce commentaire ?')).toBeDefined();
});

test('A visit is told to the page of its language', async () => {
  const asked = serve({ '/fr/forum/entraide-1/question/7/seen': true });
  render(<Visit seen="/fr/forum/entraide-1/question/7/seen" title="x" sent={[]} />);
  await waitFor(() => expect(asked).toHaveLength(1));
});
