/** Default guidelines of a new forum, which its managers can edit. */
export const guidelines = {
  en_US: `<h2>What can I ask here?</h2>
<p>Questions that can be answered. Search first: someone may have asked already. Say what you’ve tried, and ask one thing at a time.</p>
<h2>What shouldn’t I ask?</h2>
<p>Questions that have no answer, advertising, and anything insulting. They get closed, and advertising and insults also cost karma.</p>
<h2>What is karma for?</h2>
<p>Karma shows how much others value your posts. Confirming your email address earns you enough to ask and answer; votes on your posts earn you the rest. The more karma you have, the more you can do: vote, comment, create tags, edit and, eventually, moderate.</p>
<h2>What if someone gives a good answer?</h2>
<p>Upvote it, and accept it if it’s your question. Use comments to ask for details, not to say thanks.</p>`,
  fr_FR: `<h2>Que puis-je demander ici ?</h2>
<p>Des questions auxquelles on peut répondre. Cherchez d’abord : la question a peut-être déjà été posée. Dites ce que vous avez essayé, et posez une question à la fois.</p>
<h2>Que vaut-il mieux éviter ?</h2>
<p>Les questions sans réponse possible, la publicité et les insultes. Elles sont fermées ; la publicité et les insultes font aussi perdre du karma.</p>
<h2>À quoi sert le karma ?</h2>
<p>Le karma reflète ce que les autres pensent de vos messages. Confirmer votre adresse e-mail en rapporte assez pour poser des questions et y répondre ; les votes apportent le reste. Plus vous en avez, plus vous pouvez en faire : voter, commenter, créer des étiquettes, modifier et, à terme, modérer.</p>
<h2>Et si quelqu’un répond bien ?</h2>
<p>Votez pour la réponse, et acceptez-la si la question est la vôtre. Les commentaires servent à demander une précision, pas à remercier.</p>`,
};

/** Default description of a new forum. */
export const description = {
  en_US: 'Ask questions and share what you know.',
  fr_FR: 'Posez vos questions et partagez ce que vous savez.',
};
