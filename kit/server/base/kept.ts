/** What a process keeps of a database beside it, so that it is forgotten together when another database is opened. */
const all: Map<unknown, unknown>[] = []

/** A map of what was read of the database that is open. Not for what the program itself declares. */
export function keptOfDatabase<K, V>(): Map<K, V> {
  const made = new Map<K, V>()
  all.push(made)
  return made
}

/** Forgets whatever was read: called before a database is opened. */
export const forgetDatabase = (): void => {
  for (const one of all) one.clear()
}
