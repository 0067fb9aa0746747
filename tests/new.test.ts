import { existsSync } from 'node:fs'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyOfRepository } from './copy.ts'
import type { Copy } from './copy.ts'

/** `npm run new` in a copy of the repository: what it writes passes every check and every test that derives from it. */
let copy: Copy
beforeAll(async () => {
  copy = await copyOfRepository()
}, 360_000)
afterAll(() => copy?.remove())

const made = (...args: string[]) => copy.run('apps/build/new.ts', ...args)

const args = (texts: Readonly<Record<string, string>>): string[] =>
  Object.entries(texts).flatMap(([name, text]) => [`--${name}`, text])
const REQUEST = args({
  one: 'Parking request|طلب موقف سيارة|Parkplatzantrag|Demande de stationnement|Pedido de estacionamento',
  many: 'Parking requests|طلبات مواقف السيارات|Parkplatzanträge|Demandes de stationnement|Pedidos de estacionamento',
  adding: 'Ask for a parking place|طلب موقف لسيارتي|Parkplatz beantragen|Demander une place|Pedir um lugar',
  menu: 'services/74/tool/certificates',
})
const LOCKER = [
  ...args({
    one: 'Locker request|طلب خزانة|Schließfachantrag|Demande de casier|Pedido de cacifo',
    many: 'Locker requests|طلبات الخزائن|Schließfachanträge|Demandes de casier|Pedidos de cacifo',
    adding: 'Ask for a locker|طلب خزانة جديدة|Schließfach beantragen|Demander un casier|Pedir um cacifo',
    menu: 'services/75/tool/certificates',
    step: 'recommend/recommended',
    verb: 'Recommend|توصية|Empfehlen|Recommander|Recomendar',
    state: 'Recommended|موصى به|Empfohlen|Recommandé|Recomendado',
    field: 'shelf/text/20',
    called: 'Shelf|رف|Fach|Étagère|Prateleira',
  }),
  // It has a price in the demo university.
  '--fee',
  'CARD',
]
const TEXTS = args({
  one: 'Parking type|نوع موقف|Parkplatzart|Type de stationnement|Tipo de estacionamento',
  many: 'Parking types|أنواع المواقف|Parkplatzarten|Types de stationnement|Tipos de estacionamento',
  adding: 'Add parking type|إضافة نوع موقف|Parkplatzart anlegen|Ajouter un type|Adicionar tipo',
  editing: 'Edit parking type|تعديل نوع موقف|Parkplatzart ändern|Modifier le type|Editar tipo',
  menu: 'catalogue/90/tool',
})
const SETUP = [
  ...args({
    setup: 'people',
    about: 'How people park.|كيف تُوقَف السيارات.|Wie geparkt wird.|Comment on se gare.|Como se estaciona.',
  }),
  // Its words in the other languages are known.
  ...args({ field: 'places/integer/required/1..500', called: 'Capacity|السعة' }),
  ...args({ field: 'is_active/flag', called: 'Active|نشط' }),
]

const COMPILED = {
  extends: './tsconfig.base.json',
  compilerOptions: {
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: ['node', 'vite/client'],
    jsx: 'react-jsx',
    module: 'esnext',
    moduleResolution: 'bundler',
    composite: false,
    incremental: false,
    declaration: false,
    emitDeclarationOnly: false,
    noEmit: true,
  },
}
const VITEST = 'node_modules/vitest/vitest.mjs'
const DERIVED = [
  'tests/texts.test.ts',
  'tests/menu.test.ts',
  'tests/every-screen.test.ts',
  'tests/glossary.test.ts',
  'tests/made-request.test.ts',
  'tests/made-steps.test.ts',
  'tests/every-workflow.test.ts',
  'tests/every-scope.test.ts',
  'tests/every-resource.test.ts',
]
/** Of the parts, the words and the database everything, of the others what is of the new area. */
const TRIED = [
  'keys.ts is up to date',
  'texts of the screens parking',
  'texts of the screens settings',
  'names of what the program brings',
  'labels and refusals',
  'what the program gives as a reason',
  'every screen',
  'the menu',
  'the parts of the program',
  'one word per thing',
  'parkingType',
  'parkingRequest',
  'lockerRequest',
  'demo university',
  'a student',
  'who decides',
  'a request',
  'who asks',
  'a fee of two steps',
]

it('an area, a lookup and a request in it, made by the command, pass the checks and the tests derived from them', async () => {
  const area = await made(
    'area',
    'campus/parking',
    '--label',
    'Parking|مواقف السيارات|Parkplätze|Stationnement|Estacionamento',
  )
  const lookup = await made('lookup', 'parking', 'parkingType', ...TEXTS, ...SETUP)
  const request = await made('workflow', 'parking', 'parkingRequest', ...REQUEST)
  const steps = await made('workflow', 'parking', 'lockerRequest', ...LOCKER)
  const written = [area, lookup, request, steps]
    .flatMap((told) => told.split('\n'))
    .filter((file) => /^[\w./-]+\.tsx?$/.test(file))
  // What somebody has to read and to keep of it: as docs/HOW-TO.md says.
  const own = request.split('\n').filter((file) => /parking-request|parking_requests/.test(file))
  const lines = await Promise.all(
    own.map(async (file) => (await readFile(path.join(copy.root, file), 'utf8')).trim().split('\n').length),
  )
  expect([own.length, lines.reduce((sum, n) => sum + n)]).toEqual([3, 34])
  // Of two steps with a fee: the same files, and one line by hand that says who takes the first.
  const roles = path.join(copy.root, 'access/academic-roles.contract.ts')
  const before = await readFile(roles, 'utf8')
  const line = "...requests('advised', 'access', 'show'),"
  expect(before.split(line).length).toBe(2)
  await writeFile(roles, before.replace(line, `${line}\n      ...each('advised', 'recommend_lockerRequest'),`))
  const stepped = steps.split('\n').filter((file) => /locker-request|locker_requests/.test(file))
  const more = await Promise.all(
    stepped.map(async (file) => (await readFile(path.join(copy.root, file), 'utf8')).trim().split('\n').length),
  )
  expect([stepped.length, more.reduce((sum, n) => sum + n) <= 60]).toEqual([3, true])
  expect(await copy.run('locales/texts.ts')).toBe('{}\n')
  const management = await readFile(path.join(copy.root, 'areas/common/settings/management.web.tsx'), 'utf8')
  expect(management).toContain(`['/parking-types', 'parking_types'],`)
  // What is written, and what that reaches: `npm run check` compiles the whole of it.
  await writeFile(
    path.join(copy.root, 'tsconfig.made.json'),
    // The page Setup has one line more; what screens are made of is compiled where they are built.
    JSON.stringify({ ...COMPILED, files: [...new Set(written)].filter((file) => !file.endsWith('.web.tsx')) }),
  )
  await copy.run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.made.json')
  await rm(path.join(copy.root, 'tsconfig.made.json'))
  await copy.run('node_modules/oxfmt/bin/oxfmt', '--check', ...new Set(written))
  await copy.run('node_modules/oxlint/bin/oxlint', '--deny-warnings', '--quiet', ...new Set(written))
  for (const name of ['made-request', 'made-steps'])
    await copyFile(path.join(copy.root, `tests/${name}.ts`), path.join(copy.root, `tests/${name}.test.ts`))
  // Other areas are as they are here, where the same tests read them.
  process.env.SCREENS_OF = 'parking'
  const promised = await copy
    .run(VITEST, 'run', ...DERIVED, '--no-isolate', '--maxWorkers=2', '-t', TRIED.join('|'))
    .finally(() => delete process.env.SCREENS_OF)
  expect(promised).toMatch(new RegExp(`Test Files\\s+${DERIVED.length} passed`))
  // Eight of each resource, and those of requests: a name that matched none would pass unseen.
  expect(Number(/Tests\s+(\d+) passed/.exec(promised)?.[1])).toBeGreaterThanOrEqual(280)
}, 2_700_000)

it('what is wrong is said, and nothing is written twice', async () => {
  await expect(made('lookup', 'nowhere', 'thing', '--one', 'Thing|شيء')).rejects.toThrow(/There is no area nowhere/)
  await expect(made('lookup', 'terms', 'thing', '--one', 'Thing')).rejects.toThrow(/--one 'English\|Arabic/)
  await expect(made('area', 'study/terms', '--label', 'Terms|فصول')).rejects.toThrow(/is there already/)
  // What it needs is told before anything is written.
  await expect(made('lookup', 'nowhere', 'thing')).rejects.toThrow(/there are .*academics, settings, /)
  for (const wrong of [['miracle'], ['--help'], ['--nothing', 'x'], ['lookup']])
    await expect(made(...wrong)).rejects.toThrow(/npm run new -- lookup AREA NAME/)
  const thing = ['lookup', 'terms', 'thing', ...TEXTS.slice(0, -1)]
  await expect(made(...thing, 'terms/90/tool')).rejects.toThrow(/no group terms; it has home, my, /)
  await expect(made(...thing, 'catalogue/tool')).rejects.toThrow(/order is a number/)
  await expect(made(...thing, 'catalogue/90/hammer-of-thor')).rejects.toThrow(/no icon hammer-of-thor/)
  const menu = [...thing, 'catalogue/90/tool']
  await expect(made(...menu, '--setup', 'hammers')).rejects.toThrow(/no part hammers; it has studies, /)
  await expect(made(...menu, '--setup', 'people')).rejects.toThrow(/--about 'English\|Arabic/)
  await expect(made(...menu, '--field', 'places')).rejects.toThrow(/--field is a name, a kind/)
  await expect(made(...menu, '--field', 'places/hammer', '--called', 'A|ا')).rejects.toThrow(
    /its kind is one of text, /,
  )
  await expect(made(...menu, '--field', 'on/date/1..5', '--called', 'A|ا')).rejects.toThrow(
    /only an integer has bounds/,
  )
  await expect(made(...menu, '--field', 'places/text')).rejects.toThrow(/--called 'English\|Arabic/)
  await expect(made(...menu, '--field', 'a_id/hammer', '--called', 'A|ا')).rejects.toThrow(
    /No resource is called hammer/,
  )
  await expect(made(...thing, 'catalogue/90/tool/hammers')).rejects.toThrow(/no subject hammers; it has admission, /)
  expect(existsSync(path.join(copy.root, 'areas/study/terms/things'))).toBe(false)
  expect(await readFile(path.join(copy.root, 'apps/areas.contract.ts'), 'utf8')).not.toMatch(
    /termsArea[\s\S]*termsArea,[\s\S]*termsArea,/,
  )
})
