import { existsSync, globSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { folderOf } from '../apps/folders.ts'
import type { Area, Label } from '../kit/contract/index.ts'
import { keysSource, PLURAL } from './keys-source.ts'

/**
 * `npm run texts [AREA…]` puts the catalogues in order, and prints what they lack:
 *
 * - A label that several areas translate moves to the catalogue of the kit, where every screen finds it.
 * - A text that no file of the program uses any more is removed.
 * - `keys.ts` is written again from the English catalogues.
 * - What a language lacks is printed as JSON by language and area, in the shape of the catalogues, with the English text to
 *   translate (`ui` by key, `labels` by the English text, `errors` by code). Labels that another area translates already are taken
 *   over, and told.
 *
 * `--check` changes nothing, prints the same, and fails where something is to be done.
 */
export const TRANSLATED = ['de', 'fr', 'pt'] as const
const LANGUAGES = ['ar', 'en', ...TRANSLATED] as const

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
    ...area.screens.flatMap((s) => [s.title, ...Object.values(s.titleOfType ?? {})]),
    ...papers,
    ...Object.values(area.notices).map((notice) => notice.title),
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

/** A catalogue: what screens say by key, labels by their English text, refusals by code. */
export interface Catalogue {
  ui?: Record<string, string>
  labels?: Record<string, string>
  errors?: Record<string, string>
}
type Section = keyof Catalogue
const SECTIONS: readonly Section[] = ['ui', 'labels', 'errors']
const read = (language: string, name: string): Catalogue => {
  const file = new URL(`${language}/${name}.json`, import.meta.url)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Catalogue) : {}
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

/** Keys of the English texts that a language lacks; plural forms are those of the language. */
export function missingTexts(language: string, english: Catalogue, other: Catalogue): Record<string, string> {
  const { ui = {} } = english
  const keys = [...new Set(Object.keys(ui).map((key) => (isPlural(ui, key) ? base(key) : key)))]
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  return Object.fromEntries(
    keys.flatMap((key) =>
      (isPlural(ui, `${key}_other`) ? forms.map((form) => `${key}_${form}`) : [key])
        .filter((wanted) => !other.ui?.[wanted])
        .map((wanted) => [wanted, ui[wanted] ?? ui[`${key}_other`]!]),
    ),
  )
}
const base = (key: string): string => key.replace(PLURAL, '')
const isPlural = (ui: Readonly<Record<string, string>>, key: string): boolean =>
  PLURAL.test(key) && `${base(key)}_other` in ui

/** Labels of rights that a language lacks; a right of a resource is put together from its verb and its subject. */
export function missingRights(language: string, rights: Iterable<Label>, verbs: readonly Label[]): string[] {
  const labels = { ...read(language, 'kit').labels, ...read(language, 'permissions').labels }
  const named = new Set(verbs.map(([en]) => en))
  const words = [...rights].flatMap(([en]) => {
    const [verb = '', ...subject] = en.split(': ')
    return named.has(verb) ? [verb, subject.join(': ')] : [en]
  })
  return [...new Set([...words, ...named])].filter((en) => !labels[en])
}

/** What a language lacks: of the areas, of their rights, and the keys of the catalogues that belong to no area. */
async function lacking(areas: readonly Area[], only: readonly string[]): Promise<Record<string, object>> {
  const { PERMISSIONS, REQUEST_VERBS, VERBS } = await import('../access/permissions.contract.ts')
  const verbs = [VERBS, REQUEST_VERBS].flatMap((some) => Object.values(some))
  const named = new Map(areas.map((area) => [area.name, area]))
  const names = readdirSync(new URL('en/', import.meta.url)).map((file) => file.slice(0, -5))
  const out: Record<string, Record<string, object>> = {}
  for (const name of new Set([...named.keys(), ...names])) {
    if (only.length && !only.includes(name)) continue
    const area = named.get(name)
    const imported = area ? await importedLabels(name) : []
    for (const language of LANGUAGES) {
      const translated = language !== 'en' && language !== 'ar'
      const missing: Catalogue = {
        ui: missingTexts(language, read('en', name), read(language, name)),
        ...(area && translated ? missingIn(language, area, imported) : {}),
      }
      const some = Object.entries(missing).filter(([, texts]) => Object.keys(texts as object).length)
      if (some.length) (out[language] ??= {})[name] = Object.fromEntries(some)
    }
  }
  for (const language of TRANSLATED) {
    const missing = missingRights(language, PERMISSIONS.values(), verbs)
    if (!missing.length || (only.length && !only.includes('permissions'))) continue
    const labels = Object.fromEntries(missing.map((en) => [en, elsewhere(language, en) ?? en]))
    ;(out[language] ??= {}).permissions = { labels }
  }
  return out
}

/**
 * Moves a label that several catalogues of a language have to that of the kit, in place. Where they differ the kit's word
 * counts, else the first.
 * @returns a line for each label whose translation changed somewhere
 */
export function shareLabels(catalogues: ReadonlyMap<string, Catalogue>): string[] {
  const kit = catalogues.get('kit')!
  const found = Map.groupBy(
    [...catalogues].flatMap(([name, { labels = {} }]) =>
      // The log has its words by itself: a history need not fetch the catalogues of other areas.
      name === 'told' ? [] : Object.keys(labels).map((label) => ({ label, name })),
    ),
    ({ label }) => label,
  )
  const told: string[] = []
  for (const [label, where] of found) {
    if (where.length < 2) continue
    const words = new Set(where.map(({ name }) => catalogues.get(name)!.labels![label]!))
    const word = kit.labels?.[label] ?? [...words][0]!
    told.push(
      words.size > 1
        ? `${label} is now “${word}”, no longer ${[...words].filter((w) => w !== word).join(', ')}`
        : `${label} moved to the kit`,
    )
    for (const { name } of where) delete catalogues.get(name)!.labels![label]
    ;(kit.labels ??= {})[label] = word
  }
  return told
}

/** The sources of the program, as far as they can name a text: strings, templates with places, words. */
export interface Sources {
  readonly strings: ReadonlySet<string>
  readonly words: ReadonlySet<string>
  readonly templates: readonly RegExp[]
  readonly whole: string
}
/** Reads sources for the texts they name. @example usesIn("t('save'); t(`kind_${kind}`)") */
export function usesIn(source: string): Sources {
  const whole = source.replaceAll(/\\(['"])/g, '$1')
  const templates = new Set([...source.matchAll(/(?=`([^`\n]*\$\{[^`\n]*)`)/g)].map(([, text]) => text!))
  return {
    whole,
    strings: new Set([...source.matchAll(/'((?:[^'\\\n]|\\.)*)'/g)].map(([, text]) => text!.replaceAll("\\'", "'"))),
    words: new Set(source.match(/\w+/g)),
    templates: [...templates].flatMap((text) => {
      // The area of a key may stand before it: `grading.kind_${kind}`.
      const fixed = text.replace(/^[a-z-]+\./, '').split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/)
      return fixed.join('').replaceAll(/\W/g, '').length < 3
        ? []
        : [new RegExp(`^${fixed.map((part) => part.replaceAll(/[^\w ]/g, String.raw`\$&`)).join('.*')}$`)]
    }),
  }
}
/** Whether anything in the sources can name a text: when in doubt, yes. */
export function isUsed({ strings, words, templates, whole }: Sources, section: Section, key: string): boolean {
  const name = section === 'ui' ? base(key) : key
  if (section === 'labels' ? strings.has(name) || whole.includes(name) : words.has(name) || words.has(key)) return true
  if (/\W/.test(name) && section !== 'labels') return whole.includes(name)
  return templates.some((template) => template.test(name))
}
const programSources = (): Sources =>
  usesIn(
    globSync('{areas,kit,access,apps,db}/**/*.{ts,tsx,sql}', { cwd: ROOT })
      .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
      .join('\n'),
  )

/** Takes out of a catalogue, in place, what nobody uses. @returns what was taken out */
export function dropUnused(catalogue: Catalogue, sources: Sources, said: ReadonlySet<string>): string[] {
  return SECTIONS.flatMap((section) =>
    Object.keys(catalogue[section] ?? {})
      .filter((key) => !(section === 'labels' && said.has(key)) && !isUsed(sources, section, key))
      .map((key) => {
        delete catalogue[section]![key]
        return key
      }),
  )
}

/**
 * Puts all catalogues in order. Without areas shared labels are moved, and nothing is removed.
 * @returns what was moved and removed, a line each; with `write` the files are changed
 */
export function tidy(areas: readonly Area[] | null, write: boolean): string[] {
  const sources = areas && programSources()
  const said = new Set(areas?.flatMap((area) => labelsOf(area).map(([en]) => en)))
  const told: string[] = []
  const removed = new Map<string, Set<string>>()
  for (const language of LANGUAGES) {
    const names = readdirSync(new URL(`${language}/`, import.meta.url)).map((file) => file.slice(0, -5))
    const catalogues = new Map(names.map((name) => [name, read(language, name)] as const))
    const before = new Map([...catalogues].map(([name, catalogue]) => [name, JSON.stringify(catalogue)]))
    told.push(...shareLabels(catalogues).map((line) => `${language}: ${line}`))
    for (const [name, catalogue] of catalogues)
      for (const key of sources ? dropUnused(catalogue, sources, said) : []) {
        const where = removed.get(`${name}: ${key}`) ?? new Set()
        removed.set(`${name}: ${key}`, where.add(language))
      }
    if (!write) continue
    for (const [name, catalogue] of catalogues)
      if (JSON.stringify(catalogue) !== before.get(name))
        writeFileSync(new URL(`${language}/${name}.json`, import.meta.url), `${JSON.stringify(catalogue, null, 2)}\n`)
  }
  return [...told, ...[...removed].map(([text, where]) => `not used, removed from ${[...where].join(', ')}: ${text}`)]
}

/** Labels that areas lack and another area has in that language: they are written, and said in a line each. */
async function takeOver(areas: readonly Area[], only: readonly string[]): Promise<string[]> {
  const told: string[] = []
  for (const area of areas) {
    if (only.length && !only.includes(area.name)) continue
    const imported = await importedLabels(area.name)
    for (const language of TRANSLATED) {
      const { labels } = missingIn(language, area, imported)
      const known = Object.keys(labels).flatMap((en) => {
        const word = elsewhere(language, en)
        return word === undefined ? [] : [[en, word] as const]
      })
      if (!known.length) continue
      const own = read(language, area.name)
      own.labels = { ...own.labels, ...Object.fromEntries(known) }
      writeFileSync(new URL(`${language}/${area.name}.json`, import.meta.url), `${JSON.stringify(own, null, 2)}\n`)
      told.push(...known.map(([en, word]) => `${language}: ${area.name} takes over ${en}, “${word}”`))
    }
  }
  return told
}

/** Whether `keys.ts` was another than the English catalogues say; with `write` it is written. */
export function keysChanged(write: boolean): boolean {
  const file = new URL('./keys.ts', import.meta.url)
  const changed = readFileSync(file, 'utf8') !== keysSource()
  if (changed && write) writeFileSync(file, keysSource())
  return changed
}

if (import.meta.main) {
  const { AREAS } = await import('../apps/areas.contract.ts')
  const checks = process.argv.includes('--check')
  const only = process.argv.slice(2).filter((word) => !word.startsWith('--'))
  const told = tidy(AREAS, !checks)
  if (!checks) {
    const taken = await takeOver(AREAS, only)
    // What two areas have now is the kit's.
    told.push(...taken, ...(taken.length ? tidy(AREAS, true) : []))
  }
  if (keysChanged(!checks)) told.push('keys.ts: other keys than the English catalogues')
  for (const line of told) console.error(line)
  const missing = await lacking(AREAS, only)
  process.stdout.write(`${JSON.stringify(missing, null, 2)}\n`)
  if (checks && (told.length || Object.keys(missing).length)) process.exitCode = 1
}
