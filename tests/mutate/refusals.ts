/**
 * Mutants that make themselves: each place where something is refused becomes one that does not refuse. A reason is thrown,
 * pushed, given in a list, returned, or said by a schema.
 */
import path from 'node:path'
import type { ESTree } from 'vite'
import { callersOf } from './callers.ts'
import { CODES, namedInTests, read, sourceFiles, testFiles, walk } from './codes.ts'

export interface Mutant {
  readonly file: string
  readonly line: number
  /** What is not refused any more; empty where the place does not say it. */
  readonly codes: readonly string[]
  /** What stands there is replaced: between these, by that. */
  readonly from: number
  readonly to: number
  readonly put: string
}

/** Mistakes of the program, which nobody is told as a refusal. */
const PROGRAM = new Set(['Error', 'RangeError', 'TypeError', 'SyntaxError', 'ConfigError', 'AggregateError'])
/** Steps of a schema that may name their refusal. */
const STEPS = new Set([
  'refine',
  'max',
  'min',
  'length',
  'regex',
  'check',
  'gte',
  'lte',
  'gt',
  'lt',
  'int',
  'multipleOf',
])

/** What makes a refusal of a reason. */
const WRAPS = new Set(['failing', 'toProblem'])

const codeOf = (node: ESTree.Node): string[] =>
  node.type === 'Literal' && typeof node.value === 'string' && CODES.has(node.value) ? [node.value] : []

/** Codes that an expression says by itself: a code, one of two, a reason, what a schema fails with. */
function said(node: ESTree.Node | null | undefined): string[] {
  switch (node?.type) {
    case 'Literal':
      return codeOf(node)
    case 'ConditionalExpression':
      return [...said(node.consequent), ...said(node.alternate)]
    case 'SpreadElement':
      return node.argument.type === 'CallExpression' ? said(node.argument) : []
    case 'CallExpression':
      return node.callee.type === 'Identifier' && WRAPS.has(node.callee.name) ? node.arguments.flatMap(said) : []
    case 'ObjectExpression':
      return node.properties.flatMap((one) =>
        one.type === 'SpreadElement'
          ? said(one)
          : one.key.type === 'Identifier' && ['code', 'error', 'message'].includes(one.key.name)
            ? said(one.value)
            : [],
      )
    default:
      return []
  }
}

/** Codes that a text with places can become: `${how}_again`. */
function codesOfTemplate(texts: readonly string[]): string[] {
  if (texts.join('').length < 4) return []
  const pattern = new RegExp(`^${texts.map((text) => text.replaceAll(/\W/g, String.raw`\$&`)).join('.+')}$`)
  return [...CODES].filter((code) => pattern.test(code))
}
/** Every code that stands somewhere inside. */
function within(node: ESTree.Node): string[] {
  const found =
    node.type === 'TemplateLiteral' ? codesOfTemplate(node.quasis.map(({ value }) => value.raw)) : codeOf(node)
  for (const value of Object.values(node) as unknown[])
    for (const inner of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof inner === 'object' && inner !== null && 'type' in inner) found.push(...within(inner as ESTree.Node))
  return found
}

/** Whether what is thrown refuses: not a mistake of the program, and not what was caught and is thrown on. */
function refuses(thrown: ESTree.Node): boolean {
  switch (thrown.type) {
    case 'AwaitExpression':
      return refuses(thrown.argument)
    case 'ConditionalExpression':
      return refuses(thrown.consequent) || refuses(thrown.alternate)
    case 'NewExpression':
      return thrown.callee.type === 'Identifier' && !PROGRAM.has(thrown.callee.name)
    case 'CallExpression':
      return thrown.callee.type === 'Identifier'
    case 'MemberExpression':
      return thrown.property.type === 'Identifier' && thrown.property.name === 'refusal'
    default:
      return false
  }
}

const isNothing = (node: ESTree.Node): boolean =>
  (node.type === 'Literal' && !node.value) || (node.type === 'Identifier' && node.name === 'undefined')

/** Whether `node` is what its parent answers with, and nothing could be answered instead. */
const isAnswer = (node: ESTree.Node, parent: ESTree.Node | null): boolean =>
  parent?.type === 'ReturnStatement' ||
  (parent?.type === 'ArrowFunctionExpression' && parent.body === node) ||
  (parent?.type === 'ConditionalExpression' &&
    parent.test !== node &&
    isNothing(parent.consequent === node ? parent.alternate : parent.consequent)) ||
  (parent?.type === 'LogicalExpression' && parent.operator === '&&' && parent.right === node)

/** The mutants of one file. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const mutants: Mutant[] = []
  const lines = [...source.matchAll(/\n/g)].map(({ index }) => index)
  const add = (codes: readonly string[], from: number, to: number, put: string): void =>
    void mutants.push({
      file,
      line: lines.filter((at) => at < from).length + 1,
      codes: [...new Set(codes)],
      from,
      to,
      put,
    })
  walk(file, source, (node, parent) => {
    if (node.type.startsWith('TS') && node.type !== 'TSAsExpression' && node.type !== 'TSSatisfiesExpression')
      return false
    // What is answered while nobody hears what an area asks: the program does not start then (`kit/server/base/hears.ts`).
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'asks') return false
    if (node.type === 'ThrowStatement') {
      if (refuses(node.argument)) add(within(node.argument), node.start, node.end, '{}')
      return false
    }
    if (node.type === 'ExpressionStatement' && node.expression.type === 'CallExpression') {
      const codes = node.expression.arguments.flatMap(said)
      if (codes.length) {
        add(codes, node.start, node.end, '{}')
        return false
      }
    }
    if (node.type === 'ArrayExpression') {
      const { elements } = node
      for (const [i, one] of elements.entries()) {
        // A bare code in a list is one of many words, not a reason.
        const codes = one && one.type !== 'Literal' && one.type !== 'SpreadElement' ? said(one) : []
        if (!one || !codes.length) continue
        const next = elements[i + 1]
        const last = elements[i - 1]
        add(codes, next ? one.start : (last?.end ?? node.start + 1), next ? next.start : node.end - 1, '')
      }
    }
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
      const { object, property } = node.callee
      const codes = node.arguments.flatMap(said)
      if (codes.length && property.type === 'Identifier') {
        if (STEPS.has(property.name)) add(codes, object.end, node.end, '')
        else if (property.name === 'push') add(codes, node.start, node.end, 'undefined')
      }
    }
    if (node.type === 'Literal' || node.type === 'ObjectExpression') {
      const codes = said(node)
      if (codes.length && isAnswer(node, parent)) add(codes, node.start, node.end, 'null')
    }
    if (
      node.type === 'ConditionalExpression' &&
      (isAnswer(node, parent) || parent?.type === 'ParenthesizedExpression')
    ) {
      // One reason or another: that there is one at all.
      const [one, other] = [said(node.consequent), said(node.alternate)]
      if (one.length && other.length) {
        add([...one, ...other], node.start, node.end, 'null')
        return false
      }
    }
    return true
  })
  return mutants
}

let every: readonly Mutant[] | undefined
/** Every mutant there is. */
export const allMutants = (): readonly Mutant[] =>
  (every ??= sourceFiles().flatMap((file) => mutantsOf(file, read(file))))

export const describeMutant = ({ file, line, codes }: Mutant): string =>
  `${file}:${line} ${codes.length ? codes.join(', ') : 'refuses'}`

/** The mutated file. */
export const mutated = (source: string, { from, to, put }: Mutant): string =>
  source.slice(0, from) + put + source.slice(to)

/** So many of a list by chance; the same seed draws the same. */
export function drawn<T>(list: readonly T[], count: number, seed: number): T[] {
  const left = [...list]
  let state = seed >>> 0
  // Mulberry32: small, and even enough to draw by.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(next() * left.length), 1)[0]!,
  )
}

/** Files beyond which a code is so common that only those of its own area are asked. */
const COMMON = 8
const areaOf = (file: string): string =>
  file.startsWith('areas/') ? `${file.split('/').slice(0, 3).join('/')}/` : `${path.dirname(file)}/`
/** Codes that several areas refuse with: a test elsewhere that names one tries something else. */
function sharedCodes(): ReadonlySet<string> {
  const places = allMutants().flatMap(({ file, codes }) => codes.map((code) => [code, areaOf(file)] as const))
  const areas = Map.groupBy(places, ([code]) => code)
  return new Set([...areas].flatMap(([code, found]) => (new Set(found.map(([, area]) => area)).size > 1 ? [code] : [])))
}

/** What tries every call on records out of reach, not there or changed, by the codes that are told then. It takes minutes, and comes last. */
const EVERY_CALL: Readonly<Record<string, string>> = {
  not_found: 'from outside the scope|a record that is not there',
  reference_missing: 'names a record that is not there',
  changed_meanwhile: 'changed meanwhile',
}

/**
 * Which test files may notice, in the order in which they are asked: those of the folder that name a code, those that send the
 * call where its codes are common, others that name a code, then whatever stands beside, and in the folders around up to that of the area.
 */
export function askedOf(): (mutant: Mutant) => string[][] {
  const tests = testFiles()
  const named = namedInTests(tests)
  const callers = callersOf(tests)
  const shared = sharedCodes()
  return ({ file, codes, from }) => {
    const area = areaOf(file)
    const naming = [...new Set(codes.flatMap((code) => named.get(code) ?? []))]
    const near = naming.filter((test) => test.startsWith(area))
    const common = !codes.length || naming.length > COMMON || codes.some((code) => shared.has(code))
    const first = common || near.length ? near : naming
    const own = path.dirname(file)
    const within = tests.filter((test) => test.startsWith(`${own}/`))
    // A world that several folders share stands in the one around them.
    const around: string[] = []
    for (let folder = path.dirname(own); folder !== '.' && `${folder}/`.startsWith(area); folder = path.dirname(folder))
      around.push(...tests.filter((test) => path.dirname(test) === folder))
    const here = (test: string): boolean => path.dirname(test) === own
    const seen = new Set<string>()
    const sending = common ? callers({ file, from }) : []
    const stages = [first.filter(here), sending, first, within, around].map((some) =>
      some.filter((test) => !seen.has(test) && seen.add(test)),
    )
    // Nothing stands near: whatever the area has, else whoever names a code.
    const far = stages.flat().length ? [] : tests.filter((test) => test.startsWith(area))
    const tried = file.startsWith('areas/') ? codes.flatMap((code) => EVERY_CALL[code] ?? []) : []
    const last = tried.length ? ['tests/every-call.test.ts', '-t', tried.join('|')] : []
    return [...stages, far.length || stages.flat().length ? far : naming, last].filter((some) => some.length)
  }
}
