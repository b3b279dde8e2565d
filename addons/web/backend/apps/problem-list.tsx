/** Lists faults of addons for developers: file and line, the problem and its fix. */
export function ProblemList({ problems }: { problems: readonly string[] }) {
  return (
    <ul className="apps-problems" translate="no">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}
