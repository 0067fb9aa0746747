/**
 * Changing a tree of requirements in an editor: each change gives a new tree, or null where it is not possible. Places are
 * keys of requirements; the tree itself is never removed or moved.
 */
import { requirementPartsOf, walk, type Requirement, type RequirementKind } from './tree.rules.ts'

/** A requirement as one line of the editor. */
export interface RequirementLine {
  readonly key: string
  readonly one: Requirement
  /** `parts.0.parts.2`, as problems name it; '' is the tree itself. */
  readonly place: string
  readonly above: string | null
  /** From 1. */
  readonly level: number
  /** Among its siblings, from 0, and how many they are. */
  readonly index: number
  readonly of: number
}

const holds = (one: Requirement): one is Requirement & { parts: Requirement[] } => 'parts' in one

/** Lines from above to below; what stands in a folded requirement is left out. */
export function requirementLinesOf(tree: Requirement, folded: ReadonlySet<string> = new Set()): RequirementLine[] {
  const lines: RequirementLine[] = []
  const visit = (one: Requirement, place: string, above: string | null, level: number, index: number, of: number) => {
    lines.push({ key: one.key, one, place, above, level, index, of })
    if (folded.has(one.key)) return
    const parts = requirementPartsOf(one)
    for (const [i, part] of parts.entries())
      visit(part, `${place ? `${place}.` : ''}parts.${i}`, one.key, level + 1, i, parts.length)
  }
  visit(tree, '', null, 1, 0, 1)
  return lines
}

/** The tree with a requirement replaced by what `make` makes of it (`null`: taken out). */
function mapped(tree: Requirement, key: string, make: (one: Requirement) => Requirement | null): Requirement | null {
  if (tree.key === key) return make(tree)
  if (!holds(tree)) return tree
  const parts = tree.parts.flatMap((part) => mapped(part, key, make) ?? [])
  return { ...tree, parts } as Requirement
}

/** The requirement in which another stands, and where in it. */
function around(
  tree: Requirement,
  key: string,
): { above: Requirement & { parts: Requirement[] }; index: number } | null {
  for (const [, one] of walk(tree)) {
    if (!holds(one)) continue
    const index = one.parts.findIndex((part) => part.key === key)
    if (index >= 0) return { above: one, index }
  }
  return null
}
const within = (one: Requirement, key: string): boolean => {
  for (const [, part] of walk(one)) if (part.key === key) return true
  return false
}
const found = (tree: Requirement, key: string): Requirement | null => {
  for (const [, one] of walk(tree)) if (one.key === key) return one
  return null
}

export const replacedRequirement = (tree: Requirement, key: string, next: Requirement): Requirement =>
  mapped(tree, key, () => next) ?? tree

export function removed(tree: Requirement, key: string): Requirement | null {
  return tree.key === key || !found(tree, key) ? null : mapped(tree, key, () => null)
}

/** Puts a requirement into another as its part at `index`. */
export function inserted(tree: Requirement, into: string, index: number, one: Requirement): Requirement | null {
  const target = found(tree, into)
  if (!target || !holds(target)) return null
  return mapped(
    tree,
    into,
    (above) => ({ ...above, parts: requirementPartsOf(above).toSpliced(index, 0, one) }) as Requirement,
  )
}

/** Moves a requirement with all that stands in it; `index` is counted among the parts as they stand. */
export function carried(tree: Requirement, key: string, into: string, index: number): Requirement | null {
  const at = around(tree, key)
  const one = found(tree, key)
  if (!at || !one || within(one, into)) return null
  const shift = at.above.key === into && at.index < index ? 1 : 0
  if (at.above.key === into && at.index === index - shift) return null
  const without = removed(tree, key)
  return without && inserted(without, into, index - shift, one)
}

/** One place up or down among its siblings; at the end of them out of the requirement around it. */
export function stepped(tree: Requirement, key: string, by: -1 | 1): Requirement | null {
  const at = around(tree, key)
  if (!at) return null
  const index = at.index + by
  if (index >= 0 && index < at.above.parts.length) return carried(tree, key, at.above.key, by === 1 ? index + 1 : index)
  const outer = around(tree, at.above.key)
  return outer && carried(tree, key, outer.above.key, by === 1 ? outer.index + 1 : outer.index)
}

/** Into the requirement before it, as its last part, where that one has parts. */
export function indented(tree: Requirement, key: string): Requirement | null {
  const at = around(tree, key)
  const before = at?.above.parts[at.index - 1]
  return before && holds(before) ? carried(tree, key, before.key, before.parts.length) : null
}

/** Out of the requirement in which it stands, behind that one. */
export function outdented(tree: Requirement, key: string): Requirement | null {
  const at = around(tree, key)
  const outer = at && around(tree, at.above.key)
  return outer ? carried(tree, key, outer.above.key, outer.index + 1) : null
}

/** What a line is dropped on: before it when carried upwards, behind it (into it, where it is open) when carried downwards. */
export function dropped(
  tree: Requirement,
  lines: readonly RequirementLine[],
  from: number,
  to: number,
): Requirement | null {
  const [one, target] = [lines[from], lines[to]]
  if (!one || !target || from === to) return null
  if (target.above === null) return carried(tree, one.key, target.key, 0)
  if (to < from) return carried(tree, one.key, target.above, target.index)
  const open = lines[to + 1]?.above === target.key || (holds(target.one) && target.one.parts.length === 0)
  return open ? carried(tree, one.key, target.key, 0) : carried(tree, one.key, target.above, target.index + 1)
}

/** A key that no requirement of the tree has. */
export function freeKey(tree: Requirement | null, start = 'r'): string {
  const taken = new Set(tree ? [...walk(tree)].map(([, one]) => one.key) : [])
  for (let i = 1; ; i++) if (!taken.has(`${start}${i}`)) return `${start}${i}`
}

/** A requirement of another kind with all of the old one that still makes sense. */
export function ofKind(one: Requirement, kind: RequirementKind): Requirement {
  if (one.kind === kind) return one
  const { key, name, name_local, note, note_local, max_counted, by_semester } = one
  const named = {
    key,
    name,
    name_local,
    ...(note !== undefined && { note }),
    ...(note_local !== undefined && { note_local }),
    ...(max_counted !== undefined && { max_counted }),
    ...(by_semester !== undefined && { by_semester }),
  }
  const parts = [...requirementPartsOf(one)]
  const unit = 'unit' in one ? one.unit : 'hours'
  const min = 'min' in one && typeof one.min === 'number' ? one.min : 1
  const from = 'from' in one ? (one.from ?? []) : []
  switch (kind) {
    case 'all':
      return { ...named, kind, parts }
    case 'some':
      return { ...named, kind, min: Math.max(1, Math.min(Math.floor(min), parts.length || 1)), parts }
    case 'sum':
      return { ...named, kind, unit, min, parts }
    case 'courses':
      return { ...named, kind, unit, min, from }
    case 'total':
      return { ...named, kind, unit, min, of: 'counted' }
    case 'gpa':
      return { ...named, kind, min: Math.min(min, 4), ...(from.length && { from }) }
    case 'training':
      return { ...named, kind, min: Math.round(min) }
    case 'hand':
      return { ...named, kind }
  }
}
/** Whether what stands in it would be lost by changing to a kind. */
export const losesParts = (one: Requirement, kind: RequirementKind): boolean =>
  requirementPartsOf(one).length > 0 && kind !== 'all' && kind !== 'some' && kind !== 'sum'
