/**
 * The first row of a statement that always answers one: an `insert … returning`, an aggregate, a record that the transaction
 * holds. One that may answer none is asked for with `rows[0]`, and what its absence means is said there.
 * @throws {Error} when there is none, which is a mistake in the statement and never of the person who asks
 */
export function firstRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('A statement that always answers a row answered none')
  return row
}
