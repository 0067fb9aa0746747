import path from 'node:path'
import { API } from 'typescript/unstable/sync'
import type { Checker, Type } from 'typescript/unstable/sync'
import { SyntaxKind } from 'typescript/unstable/ast'
import type { Node, SourceFile } from 'typescript/unstable/ast'

/** A statement in the sources, and the type of its rows as it is written there. */
export interface Place {
  readonly file: string
  readonly line: number
  /** What names it among what was recorded (`recorder.ts`). */
  readonly key: string
  /** Where the text is put together: its pieces. */
  readonly pieces?: readonly string[]
  readonly row: Type
}

/** Where sources lie, by which configuration they are read, and which files count. */
export interface Sources {
  readonly root: string
  readonly config: string
  readonly counts: RegExp
}
/** Sources of the product; tests and benches may believe what they like. */
/** Functions that read a list whose rows their callers say, and the text of the statement by which they do (`kit/server/resource/list.ts`). */
const LISTS = new Set(['pagedList', 'wholeList', 'rowsWhere'])
const LIST = 'a list'
const PRODUCT: Sources = {
  root: path.join(import.meta.dirname, '../..'),
  config: 'tsconfig.server.json',
  counts: /^(?:areas|kit|access|apps|db)\/(?!.*(?:\.test\.tsx?|testing(?:\.server)?\.ts|schema\.ts|\/example\.ts)$)/,
}

/** Pieces of a template as the program has them, with what stands between them left out. */
function piecesOf(template: Node, source: SourceFile): string {
  const text = source.text
  const inner = (node: Node, cut: number) => spoken(text.slice(startOf(node, text) + 1, node.end - cut))
  if (template.kind === SyntaxKind.NoSubstitutionTemplateLiteral) return inner(template, 1)
  const pieces: string[] = []
  const walk = (node: Node): void => {
    if (node.kind === SyntaxKind.TemplateHead) pieces.push(inner(node, 2))
    else if (node.kind === SyntaxKind.TemplateSpan) {
      // What is filled in may hold templates of its own: only the part after it is of this one.
      const parts: Node[] = []
      node.forEachChild((child) => void parts.push(child))
      const last = parts.at(-1)!
      pieces.push(inner(last, last.kind === SyntaxKind.TemplateTail ? 1 : 2))
    }
  }
  template.forEachChild(walk)
  return pieces.join('\0')
}
/** Where a node begins, without the space and comments before it: a piece of a template begins with \` or }. */
function startOf(node: Node, text: string): number {
  BEFORE.lastIndex = node.pos
  BEFORE.test(text)
  return BEFORE.lastIndex
}
const BEFORE = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', 0: '\0' }
/** A text between backticks without its backslashes, as the program sends it. */
const spoken = (raw: string): string => raw.replaceAll(/\\([^])/g, (_, letter: string) => ESCAPED[letter] ?? letter)
/** A piece that other statements take into theirs (`json_build_object(…)`) is never sent by itself: its words are no sentence of SQL. */
const isPiece = (key: string): boolean =>
  /^\s*[(\w]/.test(key) && !/^\s*(?:select|insert|update|delete|with|merge|values|call)\b/i.test(key)

/** How the text of a statement of the driver is known: by its name, its text, or the pieces that stand in the sources. */
function spokenOf(
  given: Node | undefined,
  source: SourceFile,
  named: boolean,
): { key: string; pieces?: readonly string[] } {
  if (!given) return { key: '' }
  const said = (node: Node) => source.text.slice(startOf(node, source.text), node.end)
  if (given.kind === SyntaxKind.Identifier) {
    const name = said(given)
    const [, constant] = new RegExp(`const ${name}\\b[^=]*=\\s*\`([^\`]*)\``).exec(source.text) ?? []
    if (constant !== undefined) return inPieces(constant.split(/\$\{[^}]*\}/).map(spoken))
    const [, called] = new RegExp(`const ${name}\\b[^=]*=\\s*\\{\\s*name: '([^']+)'`).exec(source.text) ?? []
    return { key: called ? `named ${called}` : '' }
  }
  if (given.kind === SyntaxKind.ObjectLiteralExpression) {
    const [, name] = /\bname: '([^']+)'/.exec(said(given)) ?? []
    return { key: name ? `named ${name}` : '' }
  }
  if (given.kind === SyntaxKind.StringLiteral || given.kind === SyntaxKind.NoSubstitutionTemplateLiteral) {
    const text = spoken(said(given).slice(1, -1))
    return { key: named ? `named ${text}` : text }
  }
  if (given.kind !== SyntaxKind.TemplateExpression) return { key: '' }
  const pieces = piecesOf(given, source).split('\0')
  return named ? { key: '', pieces: [`named ${pieces[0]}`, ...pieces.slice(1)] } : inPieces(pieces)
}
const inPieces = (pieces: readonly string[]) => (pieces.length > 1 ? { key: '', pieces } : { key: pieces[0]! })

/** Whether a text is of these pieces, with anything between them. */
export const isOf = (text: string, pieces: readonly string[]): boolean => {
  let at = 0
  for (const [index, piece] of pieces.entries()) {
    const found = index === pieces.length - 1 ? text.length - piece.length : text.indexOf(piece, at)
    if (found < at || (index === 0 && found !== 0) || !text.startsWith(piece, found)) return false
    at = found + piece.length
  }
  return true
}

/** The sources of the server, their types, and every statement that says what its rows are. */
export function openSources({ root, config, counts }: Sources = PRODUCT): {
  checker: Checker
  places: Place[]
  close: () => void
} {
  const api = new API({ cwd: root })
  const snapshot = api.updateSnapshot({ openProjects: [path.join(root, config)] })
  const [project] = snapshot.getProjects()
  if (!project) throw new Error(`${config} was not opened`)
  const { program, checker } = project
  const places: Place[] = []
  for (const name of program.getSourceFileNames()) {
    const file = path.relative(root, name)
    if (!counts.test(file)) continue
    const source = program.getSourceFile(name)!
    const templates: { node: Node; key: string }[] = []
    const lists: Node[] = []
    const calls: { node: Node; key: string; pieces?: readonly string[] }[] = []
    const walk = (node: Node): void => {
      if (node.kind === SyntaxKind.TaggedTemplateExpression) {
        const { tag, template } = node as unknown as { tag: Node; template: Node }
        if (source.text.slice(startOf(tag, source.text), tag.end) === 'sql') {
          templates.push({ node, key: piecesOf(template, source) })
        }
      } else if (node.kind === SyntaxKind.CallExpression) {
        const {
          arguments: given,
          expression,
          typeArguments,
        } = node as unknown as {
          arguments: readonly Node[]
          expression: Node
          typeArguments?: readonly Node[]
        }
        const called = source.text.slice(expression.pos, expression.end).trim()
        if (typeArguments?.length === 1 && LISTS.has(called)) lists.push(typeArguments[0]!)
        const [row] = typeArguments ?? []
        // Statements of the driver, and those with a name of their own (`query` of `db/connect.ts`).
        if (row && /(?:\.|^\s*)query$/.test(called)) {
          const named = !/\.query$/.test(called)
          calls.push({ node: row, ...spokenOf(given[named ? 1 : 0], source, named) })
        }
      }
      node.forEachChild(walk)
    }
    walk(source)
    const lineOf = (node: Node) => source.text.slice(0, startOf(node, source.text)).split('\n').length
    const types = templates.length ? checker.getTypeAtLocation(templates.map(({ node }) => node)) : []
    for (const [at, { node, key }] of templates.entries()) {
      const type = types[at]
      const [row] =
        type?.isTypeReference() || (type as Type | undefined)?.getAliasSymbol()
          ? checker.getTypeArguments(type as never)
          : []
      if (row && !isPiece(key)) places.push({ file, line: lineOf(node), key, row })
    }
    for (const node of lists) {
      const row = checker.getTypeAtLocation(node)
      if (row) places.push({ file, line: lineOf(node), row, key: LIST })
    }
    for (const { node, ...spoken } of calls) {
      const row = checker.getTypeAtLocation(node)
      if (row) places.push({ file, line: lineOf(node), row, ...spoken })
    }
  }
  // What stands in the sources of the statement of all lists is what was recorded of each.
  const statement =
    places.find(({ file, key }) => file === 'kit/server/resource/list.ts' && key.includes('__head'))?.key ?? LIST
  const found = places.map((place) => (place.key === LIST ? { ...place, key: statement } : place))
  return { checker, places: found, close: () => api.close() }
}
