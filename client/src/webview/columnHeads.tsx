/** The row of a table's head that names its columns. */
export function ColumnHeads({ names }: { readonly names: readonly string[] }) {
  return (
    <tr>
      {names.map(it => (
        <th scope="col" key={it}>
          {it}
        </th>
      ))}
    </tr>
  );
}
