/**
 * `npm run new` writes what a capability consists of, as docs/HOW-TO.md describes it; without anything it says how it is
 * called. A text without German, French or Portuguese is left to `npm run texts`, which lists it.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { MENU_GROUPS, MENU_SUBJECTS } from '../../access/menu.contract.ts'
import { keysChanged, tidy } from '../../locales/texts.ts'
import { columnsOf, fieldsGiven, fieldsOf, lookupsOf, valuesOf } from './new-fields.ts'
import type { NewField } from './new-fields.ts'
import { LANGUAGES, NotMade, label, quote, textsOf } from './new-words.ts'
import type { Texts } from './new-words.ts'

const USAGE = `npm run new -- area WING/NAME --label TEXTS
npm run new -- lookup AREA NAME --one TEXTS --many TEXTS --adding TEXTS --editing TEXTS [--path /things] [--menu GROUP/ORDER/ICON[/SUBJECT]]
  [--field NAME/KIND[/required][/BOUNDS] --called TEXTS]… [--setup PART --about TEXTS]
npm run new -- workflow AREA NAME --one TEXTS --many TEXTS --adding TEXTS [--path /things] [--menu GROUP/ORDER/ICON[/SUBJECT]]
  [--field NAME/KIND[/required][/BOUNDS] --called TEXTS]… [--step ACTION/STATE --verb TEXTS --state TEXTS]… [--fee CODE]

WING   where it stands, like study: docs/ARCHITECTURE.md says which there are
NAME   of an area like trainings, of a lookup or a request like trainingType
TEXTS  'English|Arabic|German|French|Portuguese'; the last three may come later
--path of its screens and calls, when the plural of NAME is another: /leaves-of-absence
--field another field: capacity/integer/required/1..500, plate/text/20, is_active/flag; zone_id/parkingZone points to a record of that resource
--setup in place of an entry of the menu a line on the page Setup, in that part of it (studies, people, money …), with a sentence
--step what others do before it is accepted, like recommend/recommended, with what the button and the state are called; several in their order
--fee  what it costs, by the code of the university's fees
--menu one of ${Object.keys(MENU_GROUPS).join(', ')}; a number for the order; an icon of tabler.io/icons; where it is work of a subject, that one
       (MENU_SUBJECTS): it is then a tab beside the others, not an entry of its own
docs/HOW-TO.md says what follows from it.`

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const camel = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const plural = (word: string): string =>
  /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`

/** The files of one run, under the root of a repository. */
class Workshop {
  readonly written = new Set<string>()
  readonly root: string
  constructor(root: string) {
    this.root = root
  }
  has(file: string): boolean {
    return existsSync(path.join(this.root, file))
  }
  read(file: string): string {
    return readFileSync(path.join(this.root, file), 'utf8')
  }
  /** Folders of the areas, by their names. */
  areas(): Map<string, string> {
    const folders = globSync('areas/*/*/', { cwd: this.root }).toSorted()
    return new Map(folders.map((folder) => [path.basename(folder), path.join(folder)]))
  }
  write(file: string, text: string): void {
    const full = path.join(this.root, file)
    mkdirSync(path.dirname(full), { recursive: true })
    writeFileSync(full, text)
    this.written.add(file)
  }
  create(file: string, text: string): void {
    if (this.has(file)) throw new NotMade(`${file} is there already.`)
    this.write(file, text)
  }
  /** Puts a text where a pattern is found; `$&` stands for what was found. */
  edit(file: string, at: RegExp, text: string): void {
    const before = this.read(file)
    if (!at.test(before)) throw new NotMade(`${file} has no place for it: ${at.source}`)
    this.write(file, before.replace(at, text))
  }
  /** Adds an import after the last one. */
  import(file: string, line: string): void {
    const lines = this.read(file).split('\n')
    const last = lines.findLastIndex((text) => text.startsWith('import '))
    // The last one may go over several lines.
    const end = lines.findIndex((text, i) => i >= last && /from '/.test(text))
    this.write(file, lines.toSpliced(Math.max(last, end) + 1, 0, line).join('\n'))
  }
  /** What screens of an area say, by key. */
  say(area: string, all: Readonly<Record<string, Texts>>): void {
    for (const language of LANGUAGES) {
      const file = `locales/${language}/${area}.json`
      const catalogue = JSON.parse(this.read(file)) as { ui: Record<string, string> }
      for (const [key, texts] of Object.entries(all)) if (texts[language]) catalogue.ui[key] = texts[language]
      this.write(file, `${JSON.stringify(catalogue, null, 2)}\n`)
    }
  }
  /** Labels of an area in the languages whose words do not stand in the code. */
  translate(area: string, all: readonly Texts[]): void {
    for (const language of ['de', 'fr', 'pt'] as const) {
      const file = `locales/${language}/${area}.json`
      const catalogue = JSON.parse(this.has(file) ? this.read(file) : '{}') as { labels?: Record<string, string> }
      catalogue.labels ??= {}
      for (const texts of all) {
        const word = texts[language]
        if (word) catalogue.labels[texts.en] ??= word
      }
      this.write(file, `${JSON.stringify(catalogue, null, 2)}\n`)
    }
  }
}

type Options = Readonly<Record<string, string | undefined>>
/** What it has besides code and names, or besides what every request has; and the tables to which this points, by resource. */
interface More {
  readonly fields: readonly NewField[]
  readonly tables: ReadonlyMap<string, string>
}
/** The tables to which fields point. */
async function tablesOf(fields: readonly NewField[]): Promise<Map<string, string>> {
  const wanted = lookupsOf(fields)
  if (!wanted.length) return new Map()
  const { AREAS } = await import('../areas.contract.ts')
  const tables = new Map(AREAS.flatMap(({ resources }) => resources.map(({ name, table }) => [name, table] as const)))
  return new Map(
    wanted.map((name) => {
      const table = tables.get(name)
      if (table === undefined) throw new NotMade(`No resource is called ${name}: a field in _id points to one.`)
      return [name, table]
    }),
  )
}
/** What is done before a request is accepted. */
interface Step {
  readonly action: string
  readonly state: string
  readonly verb: Texts
  readonly called: Texts
}

/** A folder of its own, with nothing in it yet. */
function newArea(shop: Workshop, [given = '']: readonly string[], options: Options): void {
  const [wing = '', name = ''] = given.split('/')
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new NotMade('An area is named in small letters, behind its wing: npm run new -- area practice/trainings')
  if (shop.areas().has(name)) throw new NotMade(`${shop.areas().get(name)} is there already.`)
  const folder = `areas/${wing}/${name}`
  const texts = textsOf('label', options.label)
  const constant = camel(name)
  shop.create(
    `${folder}/${name}.contract.ts`,
    `import { area } from '#kit/contract/index.ts'

/** ${texts.en}. */
export const ${constant}Area = area({
  name: '${name}',
  label: ${label(texts)},
})
`,
  )
  shop.create(
    `${folder}/permissions.contract.ts`,
    `/** Permissions of this area. A lookup has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const ${constant} = {
  lookups: {},
} as const
`,
  )
  shop.create(`${folder}/README.md`, `# ${texts.en}\n\nWords, who does what, and the rules.\n`)
  shop.import('apps/areas.contract.ts', `import { ${constant}Area } from '#${folder}/${name}.contract.ts'`)
  shop.edit('apps/areas.contract.ts', /\n\]\n/, `\n  ${constant}Area,\n]\n`)
  shop.import('access/permissions.contract.ts', `import { ${constant} } from '#${folder}/permissions.contract.ts'`)
  shop.edit('access/permissions.contract.ts', /const AREAS = \{/, `$&\n  ${constant},`)
  for (const language of ['en', 'ar']) shop.create(`locales/${language}/${name}.json`, '{\n  "ui": {}\n}\n')
  shop.translate(name, [texts])
}

/** @example menuOf(shop, 'catalogue/90/tool'); with the subject whose entry it shares: menuOf(shop, 'services/72/tool/trainings') */
function menuOf(shop: Workshop, given: string | undefined, setup: boolean): string {
  if (given === undefined) return ''
  const [group = '', order = '', icon = '', subject] = given.split('/')
  if (!Object.hasOwn(MENU_GROUPS, group))
    throw new NotMade(`The menu has no group ${group}; it has ${Object.keys(MENU_GROUPS).join(', ')}.`)
  if (!/^\d+$/.test(order))
    throw new NotMade(`--menu ${group}/${order}: its order is a number, as in ${group}/90/tool.`)
  const file = `Icon${camel(`-${icon}`)}.mjs`
  if (!icon || !shop.has(`node_modules/@tabler/icons-react/dist/esm/icons/${file}`))
    throw new NotMade(`There is no icon ${icon}: take a name of tabler.io/icons, like tool.`)
  if (subject !== undefined && !Object.hasOwn(MENU_SUBJECTS, subject))
    throw new NotMade(`The menu has no subject ${subject}; it has ${Object.keys(MENU_SUBJECTS).join(', ')}.`)
  return `  menu: { group: '${group}', order: ${Number(order)}, icon: '${icon}'${subject ? `, subject: '${subject}'` : ''}${setup ? ', setup: true' : ''} },\n`
}

/** The page Setup, and what says there what a part is. */
const SETUP = 'areas/common/settings/management.web.tsx'
/** Finds the part of the page Setup, and answers what puts a line there with its words. */
function setupOf(shop: Workshop, part: string, options: Options) {
  const parts = [...shop.read(SETUP).matchAll(/^ {2}(\w+): \[\n/gm)].map(([, one]) => one!)
  if (!parts.includes(part)) throw new NotMade(`The page Setup has no part ${part}; it has ${parts.join(', ')}.`)
  if (!options.menu) throw new NotMade('What is set up says where it stands otherwise, too: --menu catalogue/90/tool.')
  const about = textsOf('about', options.about)
  return (key: string, route: string, title: Texts) => {
    shop.edit(SETUP, new RegExp(`\n {2}${part}: \\[\\n(?: {4}.*\\n)*`), `$&    ['${route}', '${key}'],\n`)
    shop.say('settings', { [`part_${key}`]: title, [`part_${key}_text`]: about })
  }
}

/** What a resource made by a word of the kit consists of, whichever word it is. */
interface Made {
  /** The word of the kit that defines it, and the texts it is called by. */
  readonly by: 'lookup' | 'request'
  readonly words: readonly string[]
  /** Where its permissions stand. */
  readonly section: 'lookups' | 'requests'
  /** Its rows of the demo university. */
  readonly demo: (name: string, one: Texts, steps: readonly Step[], values: string) => string
  readonly table: (table: string, steps: readonly Step[], fee: boolean, columns: readonly string[]) => string
}
const LOOKUP: Made = {
  by: 'lookup',
  words: ['one', 'many', 'adding', 'editing'],
  section: 'lookups',
  demo: (name, { en, ar }, _steps, values) =>
    `demoLookup(${name}, [['A', ${quote(en)}, ${quote(ar)}${values && `, { ${values} }`}]]`,
  table: (table, _steps, _fee, columns) =>
    `select create_lookup('${table}');\n${
      columns.length ? `alter table ${table}\n${columns.map((column) => `  add column ${column}`).join(',\n')};\n` : ''
    }`,
}
/** The states in which a request waits. */
const waitsIn = (steps: readonly Step[]): string[] => ['requested', ...steps.map(({ state }) => state)]
const listed = (states: readonly string[], ...more: string[]): string =>
  [...states, ...more].map((state) => `'${state}'`).join(', ')
const REQUEST: Made = {
  by: 'request',
  words: ['one', 'many', 'adding'],
  section: 'requests',
  demo: (name, _one, steps, values) => `demoRequests(${name}, [
  ['requested', { ${values && `${values}, `}why: 'أحتاج إليه لاستكمال متطلبات البرنامج.' }],
  ['requested', { ${values && `${values}, `}why: 'I need it before the end of the term.' }],
  ['requested', { ${values && `${values}, `}why: 'لأسباب عائلية، والمستندات لدى شؤون الطلاب.' }],
${steps.map(({ state }) => `  ['${state}', { ${values && `${values}, `}why: 'My advisor agrees.' }],\n`).join('')}\
  ['accepted', { ${values && `${values}, `}why: 'As agreed with my advisor.' }],
  ['rejected', { ${values && `${values}, `}why: 'For personal reasons.' }],
  ['cancelled', { ${values && `${values}, `}why: 'قدّمته بالخطأ.' }],
]`,
  table: (table, steps, fee, columns) => `create table ${table} (
  id integer generated always as identity primary key,
  student_id integer not null references students,
${columns.map((column) => `  ${column},\n`).join('')}  why text not null,
  status text not null default 'requested' check (status in (${listed([...(fee ? ['fee_due'] : []), ...waitsIn(steps)], 'accepted', 'rejected', 'cancelled')})),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index ${table}_student on ${table} (student_id);
create index ${table}_waiting on ${table} (created_at) where status in (${listed(waitsIn(steps))});
select audit_table('${table}');
`,
}

/** The steps of a request as its definition has them; the last one is that of every request. */
const stepsOf = (name: string, steps: readonly Step[], fee: string | undefined): string =>
  `${fee === undefined ? '' : `  fee: ${quote(fee)},\n`}${steps.length ? wayOf(name, steps) : ''}`
const wayOf = (name: string, steps: readonly Step[]): string =>
  `  steps: [${steps
    .map(
      ({ action, state, verb, called }) =>
        `{ action: '${action}', label: ${label(verb)}, to: ['${state}', ${quote(called.en)}, ${quote(called.ar)}], by: '${action}_${name}' }, `,
    )
    .join('')}ACCEPT],\n`
/** What a right is called: what is done, and with what. */
const together = (verb: Texts, many: Texts): Texts =>
  Object.fromEntries(
    LANGUAGES.map((l) => [l, verb[l] && many[l] ? `${verb[l]}: ${many[l]}` : undefined]),
  ) as unknown as Texts

/** What is said of steps on the command line: each with the texts at the same place. */
function stepsGiven(given: readonly string[], verbs: readonly string[], states: readonly string[]): Step[] {
  return given.map((one, i) => {
    const [action = '', state = '', ...more] = one.split('/')
    if (more.length || ![action, state].every((word) => /^[a-z][a-z_]*$/.test(word)))
      throw new NotMade(`--step is an action and the state to which it leads, like recommend/recommended.`)
    return { action, state, verb: textsOf('verb', verbs[i]), called: textsOf('state', states[i]) }
  })
}

/** A resource of a known kind: its definition, its rows of the demo university, its table, permissions and words. */
const newResource =
  (made: Made) =>
  (
    shop: Workshop,
    [area = '', name = '']: readonly string[],
    options: Options,
    steps: readonly Step[],
    more: More,
  ): void => {
    if (!area) throw new NotMade(USAGE)
    const home = shop.areas().get(area)
    if (home === undefined)
      throw new NotMade(
        `There is no area ${area}; there are ${[...shop.areas().keys()].join(', ')}, or: npm run new -- area WING/${area}`,
      )
    const contract = `${home}/${area}.contract.ts`
    if (!/^[a-z][A-Za-z0-9]*$/.test(name)) throw new NotMade(`A ${made.by} is named like trainingType.`)
    const words = made.words.map((word) => [word, textsOf(word, options[word])] as const)
    const many = words[1]![1]
    const [file, route] = [kebab(name), options.path ?? `/${plural(kebab(name))}`]
    const folder = route.slice(1).replaceAll('/', '-')
    const table = folder.replaceAll('-', '_')
    const menu = menuOf(shop, options.menu, options.setup !== undefined)
    const setup = options.setup === undefined ? null : setupOf(shop, options.setup, options)
    const columns = columnsOf(more.fields, more.tables)
    if ((steps.length || options.fee) && made.by !== 'request') throw new NotMade('Only a request has steps or a fee.')
    shop.create(
      `${home}/${folder}/${file}.contract.ts`,
      `import { ${steps.length ? 'ACCEPT, ' : ''}${more.fields.length ? 'f, ' : ''}${made.by} } from '#kit/contract/index.ts'

/** ${many.en}. */
export const ${name} = ${made.by}('${name}', {
  path: '${route}',
${words.map(([word, texts]) => `  ${word}: ${label(texts)},\n`).join('')}${fieldsOf(more.fields)}${stepsOf(name, steps, options.fee)}${menu}})
`,
    )
    const needs = [...more.tables.values()].map((one) => quote(one)).join(', ')
    const demo = `${made.demo(name, words[0]![1], steps, valuesOf(more.fields))}${needs && `, [${needs}]`})`
    shop.create(
      `${home}/${folder}/${file}.demo.ts`,
      `import { ${demo.split('(')[0]} } from '#demo/part.ts'
import { ${name} } from './${file}.contract.ts'

export default ${demo}
`,
    )
    shop.import(contract, `import { ${name} } from './${folder}/${file}.contract.ts'`)
    if (/resources: \[/.test(shop.read(contract))) shop.edit(contract, /resources: \[/, `$&${name}, `)
    else shop.edit(contract, /\n {2}label: .*\n/, `$&  resources: [${name}],\n`)
    const permissions = `${home}/permissions.contract.ts`
    const state = (section: string, key: string, texts: Texts, ...said: string[]) => {
      const line = `\n    ${key}: [${[quote(texts.en), quote(texts.ar), ...said.map(quote)].join(', ')}],`
      if (new RegExp(`${section}: \\{\\}`).test(shop.read(permissions)))
        shop.edit(permissions, new RegExp(`${section}: \\{\\}`), `${section}: {${line}\n  }`)
      else if (new RegExp(`${section}: \\{`).test(shop.read(permissions)))
        shop.edit(permissions, new RegExp(`${section}: \\{`), `$&${line}`)
      else shop.edit(permissions, /= \{\n/, `$&  ${section}: {${line}\n  },\n`)
    }
    state(made.section, name, many)
    const rights = steps.map(({ action, verb }) => [`${action}_${name}`, together(verb, many)] as const)
    for (const [key, texts] of rights) state('rights', key, texts, 'advised')
    const last = readdirSync(path.join(shop.root, 'db/migrations')).toSorted().at(-1)!
    const number = String(Number(last.slice(0, 4)) + 1).padStart(4, '0')
    shop.create(`db/migrations/${number}_${table}.sql`, made.table(table, steps, options.fee !== undefined, columns))
    shop.translate(area, [
      ...words.map(([, texts]) => texts),
      ...more.fields.map(({ called }) => called),
      ...steps.flatMap(({ verb, called }) => [verb, called]),
    ])
    // Rights are called after it, on screens of other areas too.
    shop.translate('permissions', [many, ...rights.map(([, texts]) => texts)])
    setup?.(table, route, many)
  }

/** What can be made. */
type Maker = (shop: Workshop, names: readonly string[], options: Options, steps: readonly Step[], more: More) => void
const KINDS: Readonly<Record<string, Maker>> = {
  area: newArea,
  lookup: newResource(LOOKUP),
  workflow: newResource(REQUEST),
}

/** What the command line says, or how it is to be called. */
function understood<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new NotMade(`${(error as Error).message}\n\n${USAGE}`)
  }
}

/** Makes what is asked for under a root, and answers the files it wrote. @throws {NotMade} saying what is missing */
async function make(root: string, args: readonly string[]): Promise<string[]> {
  const text = { type: 'string' } as const
  const {
    values: { help: _, step = [], verb = [], state = [], field = [], called = [], ...values },
    positionals,
  } = understood(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        label: text,
        one: text,
        many: text,
        adding: text,
        editing: text,
        path: text,
        menu: text,
        fee: text,
        setup: text,
        about: text,
        field: { ...text, multiple: true },
        called: { ...text, multiple: true },
        step: { ...text, multiple: true },
        verb: { ...text, multiple: true },
        state: { ...text, multiple: true },
        help: { type: 'boolean' },
      },
    }),
  )
  const [kind = '', ...names] = positionals
  const maker = KINDS[kind]
  if (!maker) throw new NotMade(USAGE)
  const shop = new Workshop(root)
  const fields = fieldsGiven(field, called)
  maker(shop, names, values, stepsGiven(step, verb, state), { fields, tables: await tablesOf(fields) })
  const code = [...shop.written].filter((file) => /\.(ts|json)$/.test(file))
  execFileSync(process.execPath, [path.join(root, 'node_modules/oxfmt/bin/oxfmt'), ...code], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  tidy(null, true)
  keysChanged(true)
  return [...shop.written]
}

const NEXT = `
Now: what else its fields and columns are to be, its demo rows, what npm run texts lists; then
npm run check
npx vitest run tests/texts.test.ts tests/glossary.test.ts tests/menu.test.ts
npx vitest run tests/every-resource.test.ts tests/every-workflow.test.ts tests/every-scope.test.ts -t NAME
A database of npm run dev that is there already has neither its demo rows nor what you change in its migration: stop,
remove .data, start again.`

try {
  const args = process.argv.slice(2)
  for (const file of await make(path.join(import.meta.dirname, '../..'), args)) console.log(file)
  if (args[0] !== 'area') console.log(NEXT.replace('NAME', args[2] ?? ''))
} catch (error) {
  if (!(error instanceof NotMade)) throw error
  console.error(error.message)
  process.exitCode = 1
}
