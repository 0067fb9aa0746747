/** What differs between two trees of requirements, requirement by requirement. */
import { requirementPartsOf, type Requirement } from './tree.rules.ts'

interface Difference {
  key: string
  name: string
  name_local: string
  kind: 'added' | 'removed' | 'changed'
  /** It stands in another requirement, or in another order among those that stayed beside it. */
  moved: boolean
  fields: { field: string; before: unknown; after: unknown }[]
}

interface Placed {
  one: Requirement
  above: string | null
}

function placed(tree: Requirement | null): Map<string, Placed> {
  const all = new Map<string, Placed>()
  const visit = (one: Requirement, above: string | null) => {
    all.set(one.key, { one, above })
    for (const part of requirementPartsOf(one)) visit(part, one.key)
  }
  if (tree) visit(tree, null)
  return all
}

/** Same content, whatever the order in which keys of an object were written: `jsonb` keeps none. */
const text = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? ''

/** Whether two trees say the same. */
export const sameTree = (before: Requirement | null, after: Requirement | null): boolean => text(before) === text(after)

const fieldsOf = (one: Requirement): Record<string, unknown> => {
  const { parts: _parts, ...fields } = one as Requirement & { parts?: unknown }
  return fields
}

/** Keys of what stands in it both before and after, in the order of `one`. */
const order = (one: Requirement, kept: ReadonlySet<string>): string[] =>
  requirementPartsOf(one)
    .map((part) => part.key)
    .filter((key) => kept.has(key))

/** In the order of the newer tree; what was removed comes last. */
export function compareTrees(before: Requirement | null, after: Requirement | null): Difference[] {
  const [was, is] = [placed(before), placed(after)]
  const differences: Difference[] = []
  const named = ({ key, name, name_local }: Requirement) => ({ key, name, name_local })
  const shifted = new Set<string>()
  for (const [key, { one }] of is) {
    const old = was.get(key)?.one
    if (!old) continue
    const here = new Set(requirementPartsOf(one).map((part) => part.key))
    const stayed = new Set(requirementPartsOf(old).flatMap((part) => (here.has(part.key) ? [part.key] : [])))
    const [earlier, later] = [order(old, stayed), order(one, stayed)]
    for (const [i, part] of later.entries()) if (earlier[i] !== part) shifted.add(part)
  }
  for (const [key, { one, above }] of is) {
    const old = was.get(key)
    if (!old) {
      differences.push({ ...named(one), kind: 'added', moved: false, fields: [] })
      continue
    }
    const [a, b] = [fieldsOf(old.one), fieldsOf(one)]
    const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])]
      .filter((field) => text(a[field]) !== text(b[field]))
      .map((field) => ({ field, before: a[field] ?? null, after: b[field] ?? null }))
    const moved = old.above !== above || shifted.has(key)
    if (fields.length || moved) differences.push({ ...named(one), kind: 'changed', moved, fields })
  }
  for (const [key, { one }] of was)
    if (!is.has(key)) differences.push({ ...named(one), kind: 'removed', moved: false, fields: [] })
  return differences
}
