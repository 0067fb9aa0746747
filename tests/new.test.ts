import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyOfRepository } from './copy.ts'
import type { Copy } from './copy.ts'

/** `npm run new` in a copy of the repository: what it writes passes every check and every test that derives from it. */
let copy: Copy
beforeAll(async () => {
  copy = await copyOfRepository()
}, 120_000)
afterAll(() => copy?.remove())

const made = (...args: string[]) => copy.run('apps/build/new.ts', ...args)

const TEXTS = Object.entries({
  one: 'Training type|نوع تدريب|Praktikumsart|Type de stage|Tipo de estágio',
  many: 'Training types|أنواع التدريب|Praktikumsarten|Types de stage|Tipos de estágio',
  adding: 'Add training type|إضافة نوع تدريب|Praktikumsart anlegen|Ajouter un type|Adicionar tipo',
  editing: 'Edit training type|تعديل نوع تدريب|Praktikumsart ändern|Modifier le type|Editar tipo',
  menu: 'catalogue/90/tool',
}).flatMap(([name, text]) => [`--${name}`, text])

it('an area and a lookup in it, made by the command, pass the checks and the tests derived from them', async () => {
  await made('area', 'trainings', '--label', 'Trainings|التدريب الميداني|Praktika|Stages|Estágios')
  await made('lookup', 'trainings', 'trainingType', ...TEXTS)
  await copy.run('node_modules/typescript/bin/tsc', '-b')
  await copy.run('node_modules/oxfmt/bin/oxfmt', '--check', '.')
  await copy.run('node_modules/oxlint/bin/oxlint', '--deny-warnings', '--quiet')
  const vitest = (...args: string[]) => copy.run('node_modules/vitest/vitest.mjs', 'run', ...args)
  await vitest('tests/texts.test.ts', 'tests/every-screen.test.ts', 'tests/glossary.test.ts', 'db/types.test.ts')
  const told = await vitest('tests/every-resource.test.ts', '-t', 'trainingType|demo university')
  expect(told).toMatch(/Tests\s+\d\d? passed/)
}, 600_000)

it('what is wrong is said, and nothing is written twice', async () => {
  await expect(made('lookup', 'nowhere', 'thing', '--one', 'Thing|شيء')).rejects.toThrow(/There is no area nowhere/)
  await expect(made('lookup', 'terms', 'thing', '--one', 'Thing')).rejects.toThrow(/--one 'English\|Arabic/)
  await expect(made('area', 'terms', '--label', 'Terms|فصول')).rejects.toThrow(/is there already/)
  await expect(made('miracle')).rejects.toThrow(/area\|lookup/)
  expect(await readFile(path.join(copy.root, 'apps/areas.contract.ts'), 'utf8')).not.toMatch(
    /termsArea[\s\S]*termsArea,[\s\S]*termsArea,/,
  )
})
