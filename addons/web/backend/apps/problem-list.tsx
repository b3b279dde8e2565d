/** Faults in addons, for whoever mends them: place, what is wrong, what would be right. */
export function ProblemList({ problems }: { problems: readonly string[] }) {
  return (
    <ul className="apps-problems" translate="no">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}
