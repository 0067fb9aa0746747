import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '#db/testing.ts'
import { InstanceProblem } from '../files/files.server.ts'
import { bestByTheWords, instanceColumns, type InstanceFile } from '../testing.server.ts'
import { distributionFindingText } from './finding.rules.ts'
import { proveDistribution } from './proof.rules.ts'
import { verifyFiles } from './verify.server.ts'

const INSTANCE: InstanceFile = {
  applicants: [
    // Each would rather have what the other one's dearest program would rather not give: two stable assignments.
    { id: 'a1', preferences: ['p', 'q'] },
    { id: 'a2', preferences: ['q', 'p'] },
    { id: 'b1', preferences: ['r'] },
    { id: 'b2', preferences: ['r', 's'] },
    { id: 't1', groups: ['t'], preferences: ['r', 's'] },
    { id: 'f1', groups: ['f'], preferences: ['s'] },
    { id: 'f2', groups: ['f'], preferences: ['s'] },
    { id: 'x', preferences: ['s'] },
  ],
  programs: [
    { id: 'p', capacity: 1, ranking: ['a2', 'a1'] },
    { id: 'q', capacity: 1, ranking: ['a1', 'a2'] },
    { id: 'r', capacity: 2, ranking: ['b1', 'b2', 't1'], reserved: { t: 1 } },
    { id: 's', capacity: 2, ranking: ['f1', 'f2', 'b2', 't1'], maximum: { f: 1 } },
    { id: 'u', capacity: 5, ranking: ['a1', 'a2', 'b1', 'b2', 't1', 'f1', 'f2', 'x'] },
  ],
}
const RIGHT = { a1: 'p', a2: 'q', b1: 'r', t1: 'r', b2: 's', f1: 's' }
const without = (...ids: string[]) => Object.fromEntries(Object.entries(RIGHT).filter(([id]) => !ids.includes(id)))
const but = (changes: Record<string, unknown>) => ({ assignment: { ...RIGHT, ...changes } })

const root = path.join(import.meta.dirname, '../../../..')
let folder = ''
beforeAll(() => {
  folder = temporaryFolder('distribution-proof')
  writeFileSync(path.join(folder, 'instance.json'), JSON.stringify(INSTANCE))
})
/** The command as a process of its own. */
function run(...files: string[]) {
  const command = path.join(root, 'apps/server/commands/verify-distribution.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...files], { encoding: 'utf8', cwd: folder })
  return { status, stdout, stderr }
}
const save = (result: unknown): void =>
  writeFileSync(path.join(folder, 'result.json'), typeof result === 'string' ? result : JSON.stringify(result))
/** What the command does, within this process. */
function verify(result: unknown): { status: number; stdout: string } {
  save(result)
  let stdout = ''
  const right = verifyFiles(path.join(folder, 'instance.json'), path.join(folder, 'result.json'), {
    print: (line) => void (stdout += `${line}\n`),
    tell: () => undefined,
    reading: () => () => undefined,
  })
  return { status: right ? 0 : 1, stdout }
}

describe('npm run verify-distribution', () => {
  it('accepts the stable assignment that is best for applicants, and prints what it counted', () => {
    expect(Object.fromEntries(bestByTheWords(INSTANCE))).toEqual(RIGHT)
    save({ note: 'passed over', assignment: { ...RIGHT, x: null } })
    const { status, stdout } = run('instance.json', 'result.json')
    expect(stdout.split('\n')).toEqual([
      'applicants 8, assigned 6, of these to the first preference 5',
      'programs 5 with 11 seats, 1 maximums of groups, 1 reserved seats of which 1 are filled by the group',
      'dearer preferences looked at 2, blocking pairs 0',
      'best for applicants yes (4 groups of programs asked who would come if one left)',
      'the result is right',
      '',
    ])
    expect(status).toBe(0)
  })

  it.each<[string, unknown, RegExp]>([
    ['one more than there are seats', but({ b2: 'r' }), /^r has 2 seats and was given 3 applicants\.$/m],
    [
      'one more than the maximum of a group',
      { assignment: { ...without('b2'), f2: 's' } },
      /^s takes 1 of f at most and was given 2\.$/m,
    ],
    ['a program that was not wished for', but({ a1: 'u' }), /^a1 was given u, which is not among the preferences\.$/m],
    [
      'a program that does not rank the applicant',
      { assignment: { ...without('f1'), x: 's' } },
      /^x was given s, which does not rank this applicant\.$/m,
    ],
    ['a program that there is not', but({ b1: 'elsewhere' }), /"elsewhere" is none of the programs/],
    ['an applicant who there is not', but({ ghost: 'u' }), /"ghost" is none of the applicants/],
    [
      'somebody who stands there twice',
      JSON.stringify(but({})).replace('{"a1"', '{"a1":"q","a1"'),
      /"a1" stands twice/,
    ],
    ['somebody left out', { assignment: without('b1') }, /^b1 would rather have r, and r would choose b1\.$/m],
    ['nothing instead of a seat', but({ f1: null }), /^f1 would rather have s/m],
    ['two who exchanged seats', but({ b2: 'r', t1: 's' }), /^t1 would rather have r/m],
    ['somebody who ranks lower', { assignment: { ...without('f1'), f2: 's' } }, /^f1 would rather have s/m],
    [
      'a less dear program while the dearer has a seat',
      { assignment: { ...without('a1', 'a2'), a1: 'q' } },
      /^a1 would rather have p/m,
    ],
    [
      'another stable assignment, best for programs',
      but({ a1: 'q', a2: 'p' }),
      /^Not the best for applicants: (a1, a2|a2, a1) could each have the seat of the next.*\n[^]*blocking pairs 0\nbest for applicants no/m,
    ],
    ['nobody given anything', { assignment: {} }, /blocking pairs 11\nbest for applicants not looked at/],
    ['a value that is no id', but({ b1: true }), /An id is a string or a whole number, or null/],
    ['a list in place of a program', but({ b1: ['r'] }), /An id is a string or a whole number, or null/],
    ['a number that is no id', but({ b1: 1.5 }), /"1.5" is none of the programs/],
  ])('refuses %s', (_, result, words) => {
    const { status, stdout } = verify(result)
    expect(stdout).toMatch(words)
    expect(stdout).toMatch(/^\d+ findings: the result is not right$/m)
    expect(status).toBe(1)
  })

  it.each<[string, unknown, RegExp]>([
    ['half a file', JSON.stringify(but({})).slice(0, -20), /^line 1, column \d+: /],
    ['a file without an assignment', { assigned: RIGHT }, /^line 1, column \d+: The file has no assignment\.$/m],
    ['two assignments', '{"assignment":{},"assignment":{}}', /assignment stands twice/],
    ['an assignment that is a list', { assignment: [] }, /The assignment is an object/],
    ['a list', '[]', /A result is an object/],
    ['more than the result', `${JSON.stringify(but({}))}{}`, /the end of the file/],
  ])('cannot use %s', (_, result, words) => {
    const thrown = (): unknown => {
      try {
        return verify(result)
      } catch (error) {
        return error
      }
    }
    expect(thrown()).toMatchObject({
      constructor: InstanceProblem,
      file: path.join(folder, 'result.json'),
      reasons: [expect.stringMatching(words) as string],
    })
  })
  it('ends with 1 where something is wrong, and never shows where in the program it stopped', () => {
    save(but({ b1: null }))
    expect(run('instance.json', 'result.json')).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^2 findings: the result is not right$/m) as string,
    })
    save('{"assignment":{')
    expect(run('instance.json', 'result.json')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'result.json: line 1, column 16: Here the file ends, and a name in quotes is expected.\n',
    })
    expect(run('instance.json', 'none.json')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'none.json: There is no such file.\n',
    })
    expect(run('instance.json')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'usage: npm run verify-distribution -- INSTANCE.json RESULT.json\n',
    })
  })

  const person = (id: string, ...preferences: string[]) => ({ id, groups: [id[0]!], preferences })
  it.each<[string, InstanceFile]>([
    [
      'a maximum: if another left, nobody of the group could come',
      {
        applicants: [person('f1', 'q', 'p'), person('f2', 'p', 'q'), person('a1', 'p')],
        programs: [
          { id: 'p', capacity: 2, ranking: ['f1', 'a1', 'f2'], maximum: { f: 1 } },
          { id: 'q', capacity: 1, ranking: ['f2', 'f1'] },
        ],
      },
    ],
    [
      'reserved seats: if another left, somebody else would come',
      {
        applicants: [person('f1', 'q', 'p'), person('f2', 'p', 'q'), person('a1', 'p'), person('b1', 'p')],
        programs: [
          { id: 'p', capacity: 2, ranking: ['f1', 'a1', 'b1', 'f2'], reserved: { f: 1 } },
          { id: 'q', capacity: 1, ranking: ['f2', 'f1'] },
        ],
      },
    ],
    [
      'everybody else: the last there is of a group with a maximum',
      {
        applicants: [person('a1', 'q', 'p'), person('a2', 'p', 'q'), person('f1', 'p'), person('f2', 'p')],
        programs: [
          { id: 'p', capacity: 2, ranking: ['a1', 'f1', 'f2', 'a2'], maximum: { f: 1 } },
          { id: 'q', capacity: 1, ranking: ['a2', 'a1'] },
        ],
      },
    ],
  ])('finds a circle of people that depends on who leaves, %s', (_, instance) => {
    const input = instanceColumns(instance)
    const proofOf = (given: ReadonlyMap<string, string>) =>
      proveDistribution(
        input,
        Int32Array.from(instance.applicants, ({ id }) => instance.programs.findIndex((p) => p.id === given.get(id))),
      )
    const best = bestByTheWords(instance)
    expect(proofOf(best)).toMatchObject({ bestForApplicants: 'yes', count: 0 })
    const [one, other] = [instance.applicants[0]!.id, instance.applicants[1]!.id]
    expect([best.get(one), best.get(other)]).toEqual(['q', 'p'])
    const worse = proofOf(new Map([...best, [one, 'p'], [other, 'q']]))
    expect(worse).toMatchObject({ bestForApplicants: 'no', blockingPairs: 0, count: 1 })
    expect(worse.findings[0]!.circle!.toSorted()).toEqual([0, 1])
  })

  it('finds limits that overlap in the instance', () => {
    const instance: InstanceFile = {
      applicants: [{ id: 'a', groups: ['t', 'f'], preferences: ['p'] }],
      programs: [{ id: 'p', capacity: 1, ranking: ['a'], maximum: { t: 1, f: 1 } }],
    }
    const { findings } = proveDistribution(instanceColumns(instance), Int32Array.of(0))
    expect(findings).toMatchObject([{ kind: 'overlap', applicant: 0, program: 0 }])
    const called = { applicant: () => 'Mona', program: () => 'Medicine', group: () => 'technical' }
    expect(distributionFindingText(findings[0]!, called)).toBe(
      'Mona belongs to technical and to another group with limits at Medicine: which limit counts is not defined.',
    )
  })
})

it('the proof shares nothing with the solver but the shape of its input', () => {
  const imports = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.rules.ts'))
    .flatMap((name) =>
      [...readFileSync(path.join(import.meta.dirname, name), 'utf8').matchAll(/^import (.*)$/gm)].map(
        ([, text]) => text,
      ),
    )
  expect(imports.toSorted()).toEqual([
    "type { DistributionFinding, DistributionProof } from './proof.rules.ts'",
    "type { DistributionInput, ProgramTerms } from '../input.rules.ts'",
  ])
})
