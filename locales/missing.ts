import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { folderOf } from '../apps/folders.ts'
import type { Area, Label } from '../kit/contract/index.ts'

/**
 * What German, French and Portuguese still lack: `node locales/missing.ts [AREA…]` prints it as JSON by language and area,
 * in the shape of the catalogues (`labels` by the English text, `errors` by code, with the English text to translate). What
 * another area says in the same English words stands there translated already.
 */
export const TRANSLATED = ['de', 'fr', 'pt'] as const

/** Everything an area says by itself, besides the texts of its screens. */
export function labelsOf(area: Area): Label[] {
  const resources = area.resources.flatMap((r) => [
    r.one,
    r.many,
    r.adding,
    r.editing,
    ...Object.values({ ...r.fields, ...r.sheetFields?.fields }).flatMap((field) => [
      field.label,
      ...(field.help ? [field.help] : []),
      ...(field.choices?.map((c) => c.label) ?? []),
    ]),
    ...(r.flow
      ? Object.values(r.flow.actions).flatMap(({ label, consequence }) => [
          label,
          ...(consequence ? [consequence] : []),
        ])
      : []),
    ...(r.sections?.flatMap((s) => [s.title, ...(s.text ? [s.text] : [])]) ?? []),
  ])
  const papers = area.papers.flatMap((p) =>
    Object.values(p.kinds).flatMap((kind) => [kind.label, ...Object.values(kind.facts)]),
  )
  return [
    area.label,
    ...resources,
    ...area.screens.map((s) => s.title),
    ...papers,
    ...Object.values(area.notices).map((notice) => notice.title),
    ...Object.values(area.tables),
    ...area.owners.flatMap((of) => [of.one, ...Object.values(of.states).flatMap(({ label, owner }) => [label, owner])]),
    ...area.basis.flatMap(({ one, many, why, renew, keep }) => [
      one,
      many,
      why,
      ...[renew, keep].flatMap((step) => (step ? [step.label, step.consequence] : [])),
    ]),
    ...area.facts.flatMap(({ words }) => Object.values(words ?? {})),
  ]
}

const ROOT = path.join(import.meta.dirname, '..')
/** What is imported is by its name a list of choices, or fields; refusals of a file are told by their codes. */
const SHOWN = /^(?![A-Z_]*(?:ERRORS|NOTES|REASONS)$)[A-Z][A-Z_]+$|Fields$/

/** Every label inside a value: `[English, Arabic]`. */
function labelsInside(value: unknown, found = new Map<string, Label>(), seen = new Set<unknown>()): Map<string, Label> {
  if (!value || typeof value !== 'object' || seen.has(value)) return found
  seen.add(value)
  const [en, ar] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : []
  if (typeof en === 'string' && typeof ar === 'string' && /\p{Script=Arabic}/u.test(ar)) found.set(en, [en, ar])
  else for (const one of Object.values(value)) labelsInside(one, found, seen)
  return found
}

/**
 * Labels of fields and choices that stand in no resource: those of calls of an area's own, and of other areas whose words its
 * screens show. A screen reads the catalogues of the kit and of its area, so each has to be in one of them.
 */
export async function importedLabels(area: string): Promise<Label[]> {
  const found = new Map<string, Label>()
  for (const file of globSync(`${folderOf(area) ?? `areas/*/${area}`}/**/*.{contract.ts,rules.ts,web.tsx}`, {
    cwd: ROOT,
  })) {
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    for (const [, names, from] of source.matchAll(/^import \{([^}]+)\} from '([^']+\.(?:contract|rules)\.ts)'/gm)) {
      const module = from!.startsWith('#') ? from!.slice(1) : path.join(path.dirname(file), from!)
      const wanted = names!.split(',').map((name) => name.trim().split(' as ')[0]!)
      const shown = wanted.filter((name) => SHOWN.test(name))
      if (from!.startsWith('#kit') || !shown.length) continue
      const values = (await import(path.join(ROOT, module))) as Readonly<Record<string, unknown>>
      for (const name of shown) labelsInside(values[name], found)
    }
  }
  return [...found.values()]
}

interface Texts {
  labels?: Record<string, string>
  errors?: Record<string, string>
}
const read = (language: string, name: string): Texts => {
  const file = new URL(`${language}/${name}.json`, import.meta.url)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Texts) : {}
}

/** A label as another area has it. */
const elsewhere = (language: string, en: string): string | undefined =>
  readdirSync(new URL(`${language}/`, import.meta.url))
    .map((file) => read(language, file.slice(0, -5)).labels?.[en])
    .find(Boolean)

/** Labels and refusals of an area that a language lacks, with the English text. What the kit has need not be repeated. */
export function missingIn(
  language: string,
  area: Area,
  imported: readonly Label[] = [],
): { labels: Record<string, string>; errors: Record<string, string> } {
  const [kit, own] = [read(language, 'kit'), read(language, area.name)]
  // Read before there is an area whose texts could be fetched: on the way in.
  const signIn = read(language, 'sign-in')
  const labels = { ...kit.labels, ...own.labels }
  const errors = { ...kit.errors, ...signIn.errors, ...own.errors }
  return {
    labels: Object.fromEntries(
      [...labelsOf(area), ...imported].flatMap(([en]) => (labels[en] ? [] : [[en, elsewhere(language, en) ?? en]])),
    ),
    errors: Object.fromEntries(
      Object.entries(area.errors).flatMap(([code, [en]]) => (errors[code] ? [] : [[code, en]])),
    ),
  }
}

if (import.meta.main) {
  const { AREAS } = await import('../apps/areas.contract.ts')
  const only = process.argv.slice(2)
  const out: Record<string, Record<string, unknown>> = {}
  for (const language of TRANSLATED) {
    for (const area of AREAS) {
      if (only.length && !only.includes(area.name)) continue
      const missing = missingIn(language, area, await importedLabels(area.name))
      if (Object.keys(missing.labels).length + Object.keys(missing.errors).length)
        (out[language] ??= {})[area.name] = missing
    }
  }
  process.stdout.write(`${JSON.stringify(out, null, 2)}\n`)
}
