/** The rights of a role as a matrix: what stands in which row and column, and what differs from the role that the program brings. */
import { CRUD_VERBS, PERMISSIONS, PERMISSION_AREAS, kindsKnown, verbCalled } from '#access/permissions.contract.ts'
import type { CrudVerb, PermissionKey } from '#access/permissions.contract.ts'
import { BONDS } from '#access/reach.contract.ts'
import type { Reach } from '#access/seeded.contract.ts'

type Label = readonly [en: string, ar: string]
const isColumn = (verb: string): verb is CrudVerb => (CRUD_VERBS as readonly string[]).includes(verb)

/** What the rights of a row are about: a kind of record; null: rights of the area that stand for themselves. */
export interface MatrixRow {
  readonly subject: string
  readonly label: Label | null
  readonly cells: Readonly<Partial<Record<CrudVerb, PermissionKey>>>
  /** Rights that no column is for. */
  readonly others: readonly PermissionKey[]
}
export interface MatrixArea {
  readonly area: string
  readonly keys: readonly PermissionKey[]
  readonly rows: readonly MatrixRow[]
}

/** The verb and the subject of a key that is made of both, as its words say. */
function partsOf(key: PermissionKey): { verb: string; subject: string; label: Label } | null {
  const [verb, ...rest] = key.split('_')
  const [en, ar] = PERMISSIONS.get(key)!
  for (const [first, second] of verbCalled(verb!))
    if (en.startsWith(`${first}: `))
      return {
        verb: verb!,
        subject: rest.join('_'),
        label: [en.slice(first.length + 2), ar.slice(second.length + 2)],
      }
  return null
}

function areaOf({ area, keys }: (typeof PERMISSION_AREAS)[number]): MatrixArea {
  const rows = new Map<
    string,
    { label: Label; cells: Partial<Record<CrudVerb, PermissionKey>>; others: PermissionKey[] }
  >()
  const alone: PermissionKey[] = []
  for (const key of keys) {
    const parts = partsOf(key)
    if (!parts) {
      alone.push(key)
      continue
    }
    const row = rows.get(parts.subject) ?? { label: parts.label, cells: {}, others: [] }
    rows.set(parts.subject, row)
    if (isColumn(parts.verb)) row.cells[parts.verb] = key
    else row.others.push(key)
  }
  const rest: PermissionKey[] = []
  // What else may be done with a kind of record stands in its row.
  for (const key of alone) (rows.get(key.slice(key.indexOf('_') + 1))?.others ?? rest).push(key)
  return {
    area,
    keys,
    rows: [
      ...[...rows].map(([subject, row]) => ({ subject, ...row })),
      ...(rest.length ? [{ subject: '', label: null, cells: {}, others: rest }] : []),
    ],
  }
}
let whole: readonly MatrixArea[] | undefined
/** Every right of the program, once. */
export const matrixOfRights = (): readonly MatrixArea[] => (whole ??= PERMISSION_AREAS.map(areaOf))
/** What stands above a column. */
export const wordOf = (verb: CrudVerb): Label => verbCalled(verb)[0]!
export const keysOfRow = (row: MatrixRow): PermissionKey[] => [...Object.values(row.cells), ...row.others]

/** What a right can be given as, from the widest reach. What stands there stays among them, so that it is seen and taken out. */
export function reachesOf(key: PermissionKey, now: Reach | undefined): Reach[] {
  const known = kindsKnown(key)
  const all: Reach[] = ['scope', ...BONDS]
  return all.filter(
    (reach) => reach === now || (reach === 'scope' ? known.has('university') || known.has('part') : known.has(reach)),
  )
}
/** What one press makes of it: not given, then each reach it knows, then not given. */
export function nextReach(key: PermissionKey, now: Reach | undefined): Reach | undefined {
  const all = reachesOf(key, now)
  return now === undefined ? all[0] : all[all.indexOf(now) + 1]
}

export type HeldReaches = ReadonlyMap<string, Reach>
/** Against the role that the program brings: given besides, not given, or reaching otherwise. */
export type Departure = 'added' | 'taken' | 'reach'
export function departureOf(key: string, now: HeldReaches, seeded: HeldReaches | null): Departure | null {
  if (!seeded) return null
  const [is, was] = [now.get(key), seeded.get(key)]
  if (is === was) return null
  return was === undefined ? 'added' : is === undefined ? 'taken' : 'reach'
}
