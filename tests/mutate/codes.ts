/** Codes of refusals, and which test files name them. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import type { ESTree } from 'vite'
import { KIT_ERRORS } from '#kit/contract/index.ts'
import { AREAS } from '../../apps/areas.contract.ts'

export const ROOT = path.join(import.meta.dirname, '..', '..')

/** Texts that stand beside refusals and refuse nothing: the step that unblocks, and words that a code is put together with. */
const BESIDE: readonly { readonly like: RegExp; readonly why: string }[] = [
  { like: /_step$/, why: 'tells what to do about the refusal of the same name' },
  {
    like: /^exam_why_/,
    why: 'says why the solver placed no exam: tests name the reason without what stands before it',
  },
]

/** Every code a refusal can have: what has no text cannot be told. */
export const CODES: ReadonlySet<string> = new Set(
  [KIT_ERRORS, ...AREAS.map(({ errors }) => errors)]
    .flatMap((errors) => Object.keys(errors))
    .filter((code) => !BESIDE.some(({ like }) => like.test(code))),
)

/** Files of code in which something may be refused: not screens, tests, demo rows and examples. */
export const sourceFiles = (): string[] =>
  globSync('{areas,access,kit}/**/*.ts', { cwd: ROOT })
    .filter((file) => !/\.(test|web|demo)\.ts$|testing\.server\.ts$|\/example\.ts$|^kit\/web\//.test(file))
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted()

export const testFiles = (): string[] =>
  globSync('{areas,access,kit,db,apps,tests}/**/*.test.{ts,tsx}', { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted()

export const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

/** Visits every node of a file, outer ones first; `false` leaves out what is inside. */
export function walk(
  file: string,
  source: string,
  visit: (node: ESTree.Node, parent: ESTree.Node | null) => boolean | void,
): void {
  const { program, errors } = parseSync(file, source)
  if (errors.length) throw new Error(`${file} is not read: ${errors[0]!.message}`)
  const into = (node: ESTree.Node, parent: ESTree.Node | null): void => {
    if (visit(node, parent) === false) return
    for (const value of Object.values(node) as unknown[])
      for (const inner of Array.isArray(value) ? (value as unknown[]) : [value])
        if (typeof inner === 'object' && inner !== null && 'type' in inner) into(inner as ESTree.Node, node)
  }
  into(program, null)
}

/** Test files by the codes that stand in their strings and patterns. Comments name nothing. */
export function namedInTests(files: readonly string[] = testFiles()): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, Set<string>>()
  for (const file of files) {
    const name = (text: string): void => {
      for (const word of [text, ...text.split(/\W+/)])
        if (CODES.has(word)) named.set(word, (named.get(word) ?? new Set()).add(file))
    }
    walk(file, read(file), (node) => {
      if (node.type === 'Literal') name('regex' in node && node.regex ? node.regex.pattern : String(node.value))
      if (node.type === 'TemplateElement') name(node.value.raw)
      if (node.type === 'Property' && node.key.type === 'Identifier') name(node.key.name)
    })
  }
  return new Map([...named].map(([code, all]) => [code, [...all]]))
}
