import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { PERMISSIONS, REQUEST_VERBS, VERBS } from '../access/permissions.contract.ts'
import { SEEDED_ROLES } from '../access/roles.contract.ts'
import { AREAS } from '../apps/areas.contract.ts'
import { MENU_GROUPS } from '../access/menu.contract.ts'
import { area, KIT_ERRORS, LANGUAGES, programReason, request } from '../kit/contract/index.ts'
import type { Language } from '../kit/contract/index.ts'
import {
  dropUnused,
  importedLabels,
  isUsed,
  keysChanged,
  labelsOf,
  missingIn,
  missingRights,
  missingTexts,
  shareLabels,
  tidy,
  TRANSLATED,
  usesIn,
} from '../locales/texts.ts'

interface Catalogue {
  ui?: Record<string, string>
  labels?: Record<string, string>
  errors?: Record<string, string>
}
const folder = new URL('../locales/', import.meta.url)
const read = (l: Language, name: string): Catalogue => {
  const file = new URL(`${l}/${name}.json`, folder)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Catalogue) : {}
}
const names = [
  ...new Set(LANGUAGES.flatMap((l) => readdirSync(new URL(`${l}/`, folder)).filter((n) => n.endsWith('.json')))),
].map((n) => n.slice(0, -5))
/** Mail texts are the server's: other keys, the same languages. */
const screens = names.filter((n) => n !== 'mail')

const PLURAL = /_(zero|one|two|few|many|other)$/
const base = (key: string) => key.replace(PLURAL, '')
const isPlural = (keys: readonly string[], key: string) => PLURAL.test(key) && keys.includes(`${base(key)}_other`)
/** `{name_local}` (or `{name_ar}`) stands in Arabic for `{name}`: the same thing in the other language. */
const places = (text: string) =>
  [...new Set((text.match(/\{\w+\}/g) ?? []).map((place) => place.replace(/_(?:local|ar)\}$/, '}')))].toSorted()
/** Forms in which a number may be said without its figure: exactly none, one or two. */
const MAY_OMIT_COUNT = new Set(['zero', 'one', 'two'])

describe('texts of the screens', () => {
  it('keys.ts is up to date: run node locales/keys-source.ts', () => {
    expect(keysChanged(false)).toBe(false)
  })

  describe.each(screens)('%s', (name) => {
    const english = Object.entries(read('en', name).ui ?? {})
    const englishKeys = english.map(([key]) => key)

    it.each(LANGUAGES)('exists in %s: every key, every plural form, the same places', (l) => {
      const ui = read(l, name).ui ?? {}
      const keys = Object.keys(ui)
      const problems: string[] = []
      const wanted = new Set(englishKeys.map((key) => (isPlural(englishKeys, key) ? base(key) : key)))
      const forms = new Intl.PluralRules(l).resolvedOptions().pluralCategories
      for (const key of wanted) {
        const plural = englishKeys.includes(`${key}_other`)
        const needed = plural ? forms.map((form) => `${key}_${form}`) : [key]
        for (const one of needed) if (!ui[one]) problems.push(`${one} is missing`)
        const source = (read('en', name).ui ?? {})[plural ? `${key}_other` : key]!
        for (const one of needed) {
          const text = ui[one]
          if (!text) continue
          const form = PLURAL.exec(one)?.[1]
          const [expected, found] = [places(source), places(text)]
          const differ =
            plural && form && MAY_OMIT_COUNT.has(form)
              ? expected.filter((p) => p !== '{count}').join() !== found.filter((p) => p !== '{count}').join()
              : expected.join() !== found.join()
          if (differ) problems.push(`${one}: places ${found.join()} instead of ${expected.join()}`)
        }
      }
      for (const key of keys) {
        const known = wanted.has(key) || (wanted.has(base(key)) && englishKeys.includes(`${base(key)}_other`))
        if (!known) problems.push(`${key} is not in English`)
      }
      expect(problems).toEqual([])
    })
  })

  it('Arabic is written in Arabic letters', () => {
    const latin = screens.flatMap((name) =>
      Object.entries(read('ar', name).ui ?? {})
        .filter(
          ([key, text]) =>
            !key.startsWith('key_') &&
            !/\p{Script=Arabic}/u.test(text.replace(/\{\w+\}/g, '')) &&
            /[a-z]/i.test(text.replace(/\{\w+\}/g, '')),
        )
        .map(([key]) => `${name}.${key}`),
    )
    expect(latin).toEqual([])
  })
})

describe('names of what the program brings', () => {
  it.each(TRANSLATED)('roles are told in %s, and kinds of windows', (l) => {
    const names = (read(l, 'kit') as { names?: Record<string, string> }).names ?? {}
    const terms = readFileSync(new URL('../db/migrations/0030_study.sql', import.meta.url), 'utf8')
    const windows = /insert into stage_codes [^;]+;/.exec(terms)![0]
    const kinds = [...windows.matchAll(/\('\w+', '([^']+)', '([^']+)'\)/g)].map(([, en, ar]) => `${en} / ${ar}`)
    expect(kinds.length).toBeGreaterThan(9)
    const wanted = [...kinds, ...SEEDED_ROLES.map(({ name }) => name.join(' / '))]
    expect(wanted.filter((name) => !names[name])).toEqual([])
  })
})

describe('labels and refusals', () => {
  it.each(TRANSLATED)(
    'a label is translated once into %s: npm run texts moves those of several areas to the kit',
    (l) => {
      const catalogues = Map.groupBy(
        names.flatMap((name) => Object.keys(read(l, name).labels ?? {}).map((label) => ({ label, name }))),
        ({ label }) => label,
      )
      // The log has its words by itself, the same as elsewhere: it need not fetch every catalogue.
      const twice = [...catalogues].flatMap(([label, all]) => {
        const where = all.filter(({ name }) => name !== 'told')
        return where.length > 1 ? [[label, where] as const] : []
      })
      const told = Object.entries(read(l, 'told').labels ?? {}).filter(([label, text]) =>
        (catalogues.get(label) ?? []).some(({ name }) => read(l, name).labels?.[label] !== text),
      )
      expect(told).toEqual([])
      expect(twice.map(([label, where]) => `${label}: ${where.map(({ name }) => name).join(', ')}`)).toEqual([])
    },
  )
  it('what an action says will happen is translated like its name', () => {
    const consequence = ['It comes true.', 'تتحقق.'] as const
    const wish = request('wish', {
      path: '/wishes',
      one: ['Wish', 'أمنية'],
      many: ['Wishes', 'أمنيات'],
      adding: ['Wish for', 'تمنَّ'],
      consequence,
    })
    const wishes = area({ name: 'wishes', label: ['Wishes', 'أمنيات'], resources: [wish] })
    expect(labelsOf(wishes)).toContainEqual(consequence)
    // What somebody says already in the same words is proposed as it is said there.
    expect(missingIn('de', area({ name: 'wishes', label: ['Occupancy', 'إشغال'] })).labels).toEqual({
      Occupancy: 'Auslastung',
    })
  })
  it.each(TRANSLATED)('the kit speaks %s', (l) => {
    const { labels = {}, errors = {} } = read(l, 'kit')
    expect(Object.values(MENU_GROUPS).filter(({ label: [en] }) => !labels[en])).toEqual([])
    expect(Object.keys(KIT_ERRORS).filter((code) => !errors[code])).toEqual([])
  })

  describe.each(AREAS.map((a) => [a.name, a] as const))('%s', (name, area) => {
    it.each(TRANSLATED)('has every label and refusal in %s: npm run texts lists them', async (l) => {
      const { labels, errors } = missingIn(l, area, await importedLabels(name))
      expect([...Object.keys(labels), ...Object.keys(errors)]).toEqual([])
    })
    it.each(TRANSLATED)('has the same places in refusals in %s', (l) => {
      const errors = { ...read(l, 'kit').errors, ...read(l, 'sign-in').errors, ...read(l, name).errors }
      expect(
        Object.entries(area.errors).filter(
          ([code, [en]]) => errors[code] && places(errors[code]).join() !== places(en).join(),
        ),
      ).toEqual([])
    })
    it('says the same places in English and Arabic', () => {
      expect(Object.entries(area.errors).filter(([, [en, ar]]) => places(en).join() !== places(ar).join())).toEqual([])
    })
  })

  it.each(TRANSLATED)('names every right in %s, in locales/*/permissions.json', (l) => {
    const verbs = [VERBS, REQUEST_VERBS].flatMap((some) => Object.values(some))
    expect(missingRights(l, PERMISSIONS.values(), verbs)).toEqual([])
    expect(
      missingRights(
        l,
        [
          ['Teach: Dragons', ''],
          ['List: Dragons', ''],
        ],
        verbs,
      ),
    ).toEqual(['Teach: Dragons', 'Dragons'])
  })

  it.each(TRANSLATED)('screens write no label that %s lacks', (l) => {
    const common = ['kit', 'kit-screens', 'papers'].map((name) => read(l, name).labels)
    const missing: string[] = []
    for (const file of globSync('{areas,kit/web}/**/*.{web.tsx,tsx}', { cwd: new URL('..', import.meta.url) })) {
      const area = file.startsWith('areas') ? file.split(path.sep)[2]! : 'kit'
      const labels: Record<string, string> = Object.assign({}, ...common, read(l, area).labels)
      const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
      // Examples in comments, and names with which records begin, are no labels.
      const said = source.replace(/^\s*(?:\*|\/[*/]).*$|\brange\(.*$/gm, '')
      for (const [, en] of said.matchAll(/'([^'\n]*[A-Za-z][^'\n]*)',\s*'[^'\n]*\p{Script=Arabic}[^'\n]*'/gu))
        if (!labels[en!]) missing.push(`${file}: ${en}`)
    }
    expect(missing).toEqual([])
  })

  it.each(TRANSLATED)('the kit’s refusals have the same places in %s', (l) => {
    const { errors = {} } = read(l, 'kit')
    expect(
      Object.entries(KIT_ERRORS).filter(([code, [en]]) => places(errors[code] ?? '').join() !== places(en).join()),
    ).toEqual([])
  })
})

it('what the program gives as a reason has words for the readers of a history', () => {
  const given = globSync('{areas,kit}/**/*.server.ts').flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/(?:\{ reason: |setPassword\(.*, )'([a-z][a-z ]* [a-z ]+)'/g),
  ])
  expect(given.length).toBeGreaterThanOrEqual(7)
  expect(given.map((found) => found[1]!).filter((reason) => !programReason(reason))).toEqual([])
  expect(programReason('import: employee')).toEqual(programReason('import'))
  expect(programReason('She came in person')).toBeNull()
})

describe('npm run texts', () => {
  it('finds nothing to move or to remove: run it, and commit what it changed', () => {
    expect(tidy(AREAS, false)).toEqual([])
  })
  it('says which keys a language lacks, in its own plural forms', () => {
    const english = { ui: { save: 'Save', rows_one: '{count} row', rows_other: '{count} rows' } }
    expect(missingTexts('de', english, { ui: { save: 'Speichern', rows_one: '{count} Zeile' } })).toEqual({
      rows_other: '{count} rows',
    })
    expect(Object.keys(missingTexts('ar', english, {})).toSorted()).toEqual(
      ['save', ...['zero', 'one', 'two', 'few', 'many', 'other'].map((form) => `rows_${form}`)].toSorted(),
    )
    expect(missingTexts('en', english, english)).toEqual({})
  })
  it('moves a label of several areas to the kit, whose word counts', () => {
    const catalogues = new Map<string, Catalogue>([
      ['kit', { labels: { Room: 'Raum' } }],
      ['exams', { labels: { Room: 'Saal', Seat: 'Platz' } }],
      ['terms', { labels: { Seat: 'Platz', Term: 'Semester' } }],
    ])
    expect(shareLabels(catalogues)).toEqual(['Room is now “Raum”, no longer Saal', 'Seat moved to the kit'])
    expect(Object.fromEntries(catalogues)).toEqual({
      kit: { labels: { Room: 'Raum', Seat: 'Platz' } },
      exams: { labels: {} },
      terms: { labels: { Term: 'Semester' } },
    })
  })
  it('removes what no source can name, and nothing that one puts together', () => {
    const sources = usesIn(
      "t('save'); t(`kind_${kind}`); t(`lacking${who}`); label: ['It\\'s late', 'x']; `Group ${n}`; 'late_step'",
    )
    const catalogue = {
      ui: { save: '', kind_a: '', lacking_staff_one: '', lacking_staff_other: '', gone: '', saved: '' },
      labels: { "It's late": '', 'Group 3': '', Declared: '', Forgotten: '' },
      errors: { late_step: '', late_never: '' },
    }
    expect(dropUnused(catalogue, sources, new Set(['Declared']))).toEqual(['gone', 'saved', 'Forgotten', 'late_never'])
    expect(Object.keys(catalogue.labels)).toEqual(["It's late", 'Group 3', 'Declared'])
    expect(isUsed(usesIn(' + ${say(`second_by_${factor}`)}`'), 'ui', 'second_by_app')).toBe(true)
  })
})
