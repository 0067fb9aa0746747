/** Which test files send the calls that lead to a place in the sources. */
import { globSync } from 'node:fs'
import path from 'node:path'
import type { ESTree } from 'vite'
import { ROOT, read, walk } from './codes.ts'

/** So many of them are asked about one place, those that stand near it first. */
const MOST = 5

const areaOf = (file: string): string => file.split('/').slice(0, 3).join('/')

/** A call's path as it stands in a test, whatever is in the place of its parameters. */
const patternOf = (address: string): RegExp => {
  const parts = address
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^$()[\]\\|]/g, String.raw`\$&`))
    .join(String.raw`(?:\$\{[^}]*\}|[\w-]+)`)
  return new RegExp(String.raw`['"\`]${parts}['"\`?]`)
}

/** Paths of the calls of each area, by the name that its handlers know them by. */
function pathsByArea(): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, Map<string, string[]>>()
  for (const name of globSync('{areas,kit}/**/*.contract.ts', { cwd: ROOT })) {
    const file = name.replaceAll('\\', '/')
    const of = found.get(areaOf(file)) ?? new Map<string, string[]>()
    found.set(areaOf(file), of)
    for (const [, call, address] of read(file).matchAll(/(\w+)[:\s=]+call\(\s*'[A-Z]+',\s*'(\/[^']*)'/g))
      of.set(call!, [...(of.get(call!) ?? []), address!])
  }
  return found
}

const nameOf = (node: ESTree.Node | undefined): string | undefined =>
  node?.type === 'Identifier'
    ? node.name
    : node?.type === 'MemberExpression' && node.property.type === 'Identifier'
      ? node.property.name
      : undefined

interface Part {
  readonly from: number
  readonly to: number
  readonly text: string
  /** What the part declares. */
  readonly names: readonly string[]
  readonly handlers: readonly { readonly from: number; readonly to: number; readonly call: string }[]
}
/** The statements of a file, with the calls that are handled in each. */
function partsOf(file: string, source: string): Part[] {
  const parts: Part[] = []
  walk(file, source, (node, parent) => {
    if (node.type === 'Program') return true
    if (parent?.type === 'Program') {
      const declared = 'declaration' in node && node.declaration ? (node.declaration as ESTree.Node) : node
      const names =
        declared.type === 'VariableDeclaration'
          ? declared.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
          : declared.type === 'FunctionDeclaration' && declared.id
            ? [declared.id.name]
            : []
      const text = source.slice(node.start, node.end)
      parts.push({ from: node.start, to: node.end, text, names, handlers: [] })
    }
    const call =
      node.type === 'CallExpression' && nameOf(node.callee) === 'handle' ? nameOf(node.arguments[0]) : undefined
    if (call !== undefined)
      (parts.at(-1)!.handlers as { from: number; to: number; call: string }[]).push({
        from: node.start,
        to: node.end,
        call,
      })
    return true
  })
  return parts
}

const known = new Map<string, Part[]>()
/** Names of the calls that come to a place: the one whose handler it stands in, or all that use the function around it. */
export function callsAt(file: string, source: string, at: number): string[] {
  const parts = known.get(file) ?? partsOf(file, source)
  known.set(file, parts)
  const around = parts.find(({ from, to }) => from <= at && at < to)
  if (!around) return []
  const own = around.handlers.filter(({ from, to }) => from <= at && at < to)
  if (own.length) return own.map(({ call }) => call)
  const reached = new Set([around])
  for (const part of reached)
    for (const other of parts)
      if (part.names.some((name) => new RegExp(String.raw`\b${name}\b`).test(other.text))) reached.add(other)
  return [...new Set([...reached].flatMap(({ handlers }) => handlers.map(({ call }) => call)))]
}

/** Test files that send what comes to a place. What tries every call of the product is none of them. */
export function callersOf(
  tests: readonly string[],
): (place: { readonly file: string; readonly from: number }) => string[] {
  const sources = new Map(
    tests.filter((test) => !/^tests\/(every-|journeys\/)/.test(test)).map((test) => [test, read(test)]),
  )
  const paths = pathsByArea()
  const known = new Map<string, readonly string[]>()
  const sending = (address: string): readonly string[] => {
    const pattern = patternOf(address)
    const found = known.get(address) ?? [...sources].flatMap(([test, source]) => (pattern.test(source) ? [test] : []))
    known.set(address, found)
    return found
  }
  return ({ file, from }) => {
    const area = areaOf(file)
    const addresses = callsAt(file, read(file), from).flatMap((call) => paths.get(area)?.get(call) ?? [])
    // How many folders of the way to the place a test has in common with it.
    const near = (test: string): number => {
      const way = path.dirname(file).split('/')
      const other = path.dirname(test).split('/')
      return way.findIndex((folder, i) => folder !== other[i]) >>> 0
    }
    return [...new Set(addresses.flatMap(sending))].toSorted((a, b) => near(b) - near(a)).slice(0, MOST)
  }
}
