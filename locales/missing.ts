import { existsSync, readFileSync, readdirSync } from 'node:fs'
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
  ]
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
): { labels: Record<string, string>; errors: Record<string, string> } {
  const [kit, own] = [read(language, 'kit'), read(language, area.name)]
  // Read before there is an area whose texts could be fetched: on the way in.
  const signIn = read(language, 'sign-in')
  const labels = { ...kit.labels, ...own.labels }
  const errors = { ...kit.errors, ...signIn.errors, ...own.errors }
  return {
    labels: Object.fromEntries(
      labelsOf(area).flatMap(([en]) => (labels[en] ? [] : [[en, elsewhere(language, en) ?? en]])),
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
      const missing = missingIn(language, area)
      if (Object.keys(missing.labels).length + Object.keys(missing.errors).length)
        (out[language] ??= {})[area.name] = missing
    }
  }
  process.stdout.write(`${JSON.stringify(out, null, 2)}\n`)
}
