import type { Option } from '#kit/contract/schema.ts'

/** What this person chose last in lookups of a resource, newest first: kept in this browser. */
const key = (user: number | string, resource: string) => `ems.lookup.${user}.${resource}`
const KEPT = 5

export function lastUsed(user: number | string, resource: string): Option[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key(user, resource)) ?? '[]')
    return Array.isArray(kept) ? (kept as Option[]) : []
  } catch {
    return []
  }
}
export function noteUsed(user: number | string, resource: string, option: Option): void {
  const rest = lastUsed(user, resource).filter((o) => o.id !== option.id)
  const { id, name, name_local, code } = option
  try {
    localStorage.setItem(key(user, resource), JSON.stringify([{ id, name, name_local, code }, ...rest].slice(0, KEPT)))
  } catch {
    // Storage is full or forbidden: the lookup works without its memory.
  }
}
