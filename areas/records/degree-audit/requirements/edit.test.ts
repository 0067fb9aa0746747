import fc from 'fast-check'
import { expect, test } from 'vitest'
import { carried, dropped, indented, requirementLinesOf, ofKind, outdented, removed, stepped } from './edit.rules.ts'
import { walk, type Requirement } from './tree.rules.ts'

const leaf = (key: string): Requirement => ({ kind: 'training', key, name: key, name_local: key, min: 1 })
const group = (key: string, ...parts: Requirement[]): Requirement => ({
  kind: 'all',
  key,
  name: key,
  name_local: key,
  parts,
})
/** `a(b c) d`: what stands where. */
const drawn = (one: Requirement | null): string =>
  one === null ? 'null' : 'parts' in one ? `${one.key}(${one.parts.map(drawn).join(' ')})` : one.key
const tree = group('root', group('a', leaf('b'), leaf('c')), leaf('d'), group('e'))

test('a requirement goes up, down, in and out with all that stands in it', () => {
  expect(drawn(stepped(tree, 'd', -1))).toBe('root(d a(b c) e())')
  expect(drawn(stepped(tree, 'c', -1))).toBe('root(a(c b) d e())')
  expect(drawn(stepped(tree, 'c', 1))).toBe('root(a(b) c d e())')
  expect(drawn(stepped(tree, 'b', -1))).toBe('root(b a(c) d e())')
  expect(stepped(tree, 'a', -1)).toBeNull()
  expect(drawn(indented(tree, 'd'))).toBe('root(a(b c d) e())')
  expect(indented(tree, 'e')).toBeNull()
  expect(drawn(outdented(tree, 'b'))).toBe('root(a(c) b d e())')
  expect(outdented(tree, 'd')).toBeNull()
  expect(drawn(removed(tree, 'a'))).toBe('root(d e())')
  expect(removed(tree, 'root')).toBeNull()
  expect(carried(group('root', group('a', group('b'))), 'a', 'b', 0)).toBeNull()
})

test('a line is dropped before what it is carried up to, behind what it is carried down to, into what stands open there', () => {
  const lines = requirementLinesOf(tree)
  const drop = (from: string, to: string) =>
    drawn(
      dropped(
        tree,
        lines,
        lines.findIndex((l) => l.key === from),
        lines.findIndex((l) => l.key === to),
      ),
    )
  expect(drop('d', 'b')).toBe('root(a(d b c) e())')
  expect(drop('b', 'd')).toBe('root(a(c) d b e())')
  expect(drop('b', 'e')).toBe('root(a(c) d e(b))')
  expect(drop('a', 'd')).toBe('root(d a(b c) e())')
  expect(drop('a', 'b')).toBe('null')
  expect(drop('d', 'root')).toBe('root(d a(b c) e())')
})

test('whatever is moved, nothing is lost, nothing is there twice, and the tree itself stays', () => {
  const trees = fc.letrec<{ one: Requirement }>((tie) => ({
    one: fc
      .oneof({ maxDepth: 3 }, fc.constant(null), fc.array(tie('one'), { maxLength: 3 }))
      .map((parts) => (parts === null ? leaf('x') : group('x', ...parts))),
  })).one
  const keyed = (one: Requirement): Requirement => {
    let n = 0
    const visit = (part: Requirement): Requirement =>
      'parts' in part
        ? ({ ...part, key: `k${n++}`, parts: part.parts.map(visit) } as Requirement)
        : { ...part, key: `k${n++}` }
    return visit(group('root', one))
  }
  fc.assert(
    fc.property(trees, fc.nat(), fc.nat(), (one, a, b) => {
      const start = keyed(one)
      const keys = [...walk(start)].map(([, part]) => part.key).toSorted()
      const lines = requirementLinesOf(start)
      const key = lines[a % lines.length]!.key
      for (const next of [
        stepped(start, key, 1),
        stepped(start, key, -1),
        indented(start, key),
        outdented(start, key),
        dropped(start, lines, a % lines.length, b % lines.length),
      ]) {
        if (!next) continue
        expect([...walk(next)].map(([, part]) => part.key).toSorted()).toEqual(keys)
        expect(next.key).toBe(start.key)
      }
    }),
  )
})

test('another kind keeps what it can', () => {
  expect(ofKind({ ...leaf('a'), min: 6, by_semester: 3 } as Requirement, 'courses')).toMatchObject({
    kind: 'courses',
    min: 6,
    by_semester: 3,
  })
  expect(drawn(ofKind(tree, 'sum'))).toBe(drawn(tree))
})
