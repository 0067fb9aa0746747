import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** `npm run new` in a copy of the repository: what it writes passes every check and every test that derives from it. */
const run = promisify(execFile)
const root = path.join(import.meta.dirname, '..')
let copy: string

beforeAll(async () => {
  copy = await mkdtemp(path.join(os.tmpdir(), 'ems-new-'))
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const file of stdout.trim().split('\n')) {
    await mkdir(path.join(copy, path.dirname(file)), { recursive: true })
    // A file that was moved is listed and not there.
    await copyFile(path.join(root, file), path.join(copy, file)).catch(() => undefined)
  }
  // Packages are shared; what the compiler keeps is not.
  await mkdir(path.join(copy, 'node_modules'))
  for (const name of await readdir(path.join(root, 'node_modules')))
    if (name !== '.cache' && !name.startsWith('.vite'))
      await symlink(path.join(root, 'node_modules', name), path.join(copy, 'node_modules', name))
}, 120_000)
afterAll(() => rm(copy, { recursive: true, force: true }))

const environment = (): NodeJS.ProcessEnv => {
  const { EMS_TEST_SERVER: _, VITEST: _vitest, ...env } = process.env
  return { ...env, NO_COLOR: '1' }
}
/** Runs a command of the copy; a failure tells what it printed. */
async function command(...args: string[]): Promise<string> {
  try {
    return (await run(process.execPath, args, { cwd: copy, env: environment(), maxBuffer: 1 << 26 })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${args.join(' ')}\n${stdout.slice(-6000)}\n${stderr.slice(-2000)}`, { cause: error })
  }
}
const made = (...args: string[]) => command('apps/build/new.ts', ...args)

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
  await command('node_modules/typescript/bin/tsc', '-b')
  await command('node_modules/oxfmt/bin/oxfmt', '--check', '.')
  await command('node_modules/oxlint/bin/oxlint', '--deny-warnings', '--quiet')
  const vitest = (...args: string[]) => command('node_modules/vitest/vitest.mjs', 'run', ...args)
  await vitest('tests/texts.test.ts', 'tests/every-screen.test.ts', 'tests/glossary.test.ts', 'db/types.test.ts')
  const told = await vitest('tests/every-resource.test.ts', '-t', 'trainingType|demo university')
  expect(told).toMatch(/Tests\s+\d\d? passed/)
}, 600_000)

it('what is wrong is said, and nothing is written twice', async () => {
  await expect(made('lookup', 'nowhere', 'thing', '--one', 'Thing|شيء')).rejects.toThrow(/There is no area nowhere/)
  await expect(made('lookup', 'terms', 'thing', '--one', 'Thing')).rejects.toThrow(/--one 'English\|Arabic/)
  await expect(made('area', 'terms', '--label', 'Terms|فصول')).rejects.toThrow(/is there already/)
  await expect(made('miracle')).rejects.toThrow(/area\|lookup/)
  expect(await readFile(path.join(copy, 'apps/areas.contract.ts'), 'utf8')).not.toMatch(
    /termsArea[\s\S]*termsArea,[\s\S]*termsArea,/,
  )
})
