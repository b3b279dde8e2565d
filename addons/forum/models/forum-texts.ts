/** Default guidelines of a new forum, which its managers can edit. */
export const guidelines = {
  en_US: `<h2>What may I ask here?</h2>
<p>Questions that can be answered. Search first: somebody may have asked already. Say what you have tried, and one thing at a time.</p>
<h2>What should I rather not ask?</h2>
<p>Questions without an answer, advertising, and anything that insults people. Such questions are closed, and cost karma.</p>
<h2>What is karma for?</h2>
<p>Karma is what others think of what you wrote. A confirmed address brings enough of it to ask and to answer; votes on your posts bring the rest. With more karma you may do more: vote, comment, make tags, edit and, in the end, moderate.</p>
<h2>What if somebody answers well?</h2>
<p>Vote the answer up, and accept it when it is your question. Comments are for asking back, not for thanks.</p>`,
  fr_FR: `<h2>Que puis-je demander ici ?</h2>
<p>Des questions auxquelles on peut répondre. Cherchez d’abord : quelqu’un a peut-être déjà demandé. Dites ce que vous avez essayé, et posez une question à la fois.</p>
<h2>Que vaut-il mieux éviter ?</h2>
<p>Les questions sans réponse, la publicité et tout ce qui insulte. Ces questions sont fermées et coûtent du karma.</p>
<h2>À quoi sert le karma ?</h2>
<p>Le karma dit ce que les autres pensent de vos messages. Une adresse confirmée en donne assez pour demander et répondre ; les votes apportent le reste. Avec plus de karma, vous pouvez voter, commenter, créer des étiquettes, modifier et enfin modérer.</p>
<h2>Et si quelqu’un répond bien ?</h2>
<p>Votez pour la réponse, et acceptez-la si la question est la vôtre. Les commentaires servent à demander une précision, pas à remercier.</p>`,
};

/** Default description of a new forum. */
export const description = {
  en_US: 'Ask what you would like to know, and help others with what you know.',
  fr_FR: 'Demandez ce que vous aimeriez savoir, et aidez les autres avec ce que vous savez.',
};
