import { expect, it } from 'vitest'
import { callsAt } from './callers.ts'
import { staleMutations } from './check.ts'
import { MUTATIONS } from './mutations.ts'
import { allMutants, askedOf, drawn, mutantsOf, mutated } from './refusals.ts'

const all = allMutants()
const asked = askedOf()

it('every mutation of the list finds its text once, and its tests', () => {
  expect(staleMutations(MUTATIONS).map(({ mutation, why }) => `${mutation.file}: ${mutation.rule} (${why})`)).toEqual(
    [],
  )
})

it('a mutation whose text is gone, is there twice, or has no test is told', () => {
  const [one] = MUTATIONS
  const why = (changed: object) => staleMutations([{ ...one!, ...changed }]).map((found) => found.why)
  expect(why({})).toEqual([])
  expect(why({ find: 'what nobody wrote' })).toEqual(['its text stands there 0 times'])
  expect(why({ find: 'e' })).toEqual([expect.stringMatching(/^its text stands there \d{2,} times$/)])
  expect(why({ file: 'areas/nowhere.ts' })).toEqual(['there is no such file'])
  expect(why({ tests: ['areas/nowhere'] })).toEqual(['there is no test at areas/nowhere'])
  expect(why({ replace: one!.find })).toEqual(['it changes nothing'])
})

it('each place where something is refused becomes one that does not', () => {
  const each: readonly [source: string, codes: readonly string[], becomes: string][] = [
    ["if (!row) throw refuse(404, 'not_found')", ['not_found'], 'if (!row) {}'],
    ['if (reasons.length) throw new Refusal(409, reasons)', [], 'if (reasons.length) {}'],
    ["throw own ? refuse(403, 'not_allowed') : refuse(404, 'not_found')", ['not_allowed', 'not_found'], '{}'],
    ["reasons.push({ field: 'day', code: 'required' })", ['required'], '{}'],
    ["if (blocked) refuse('hold_blocked')", ['hold_blocked'], 'if (blocked) {}'],
    ["const r = [{ code: 'required' }, { code: 'duplicate' }]", ['required'], "const r = [{ code: 'duplicate' }]"],
    ["const r = [...a, { code: 'required' }]", ['required'], 'const r = [...a]'],
    ["const f = () => (ok ? [] : [{ code: 'required' }])", ['required'], 'const f = () => (ok ? [] : [])'],
    ["const r = [toProblem({ code: 'required' })]", ['required'], 'const r = []'],
    [
      "const f = () => (own ? { code: 'required' } : { code: 'duplicate' })",
      ['required', 'duplicate'],
      'const f = () => (null)',
    ],
    ["const f = () => (ok ? null : 'required')", ['required'], 'const f = () => (ok ? null : null)'],
    ["const s = z.string().refine(ok, failing('required')).max(2)", ['required'], 'const s = z.string().max(2)'],
  ]
  for (const [source, codes, becomes] of each) {
    const [mutant] = mutantsOf('a.rules.ts', source)
    expect(mutant?.codes, source).toEqual(codes)
    expect(mutated(source, mutant!)).toBe(becomes)
  }
  // A code may be put together: those that it can become are meant.
  const [again] = mutantsOf('a.rules.ts', 'throw refuse(403, `${how}_again`)')
  expect(again!.codes).toEqual(expect.arrayContaining(['password_again', 'sign_in_again']))
  expect(again!.codes).not.toContain('not_found')
  // A mistake of the program is none, nor what is thrown on, nor a word that only looks like a code.
  // Nor what is answered while nobody hears.
  const unheard = "export const a = asks<[]>('a', () => { throw refuse(422, 'required') })"
  for (const source of [
    unheard,
    "throw new Error('required')",
    'throw error',
    "const f = (a) => (a === 'required' ? 1 : 2)",
  ])
    expect(mutantsOf('a.rules.ts', source), source).toEqual([])
})

it('where many name a code, those are asked that send the call which comes to the place', () => {
  const source = [
    "const find = () => { throw refuse(404, 'not_found') }",
    'const show = handle(calls.show, () => find())',
    "const other = handle(calls.other, async () => { throw refuse(409, 'required') })",
  ].join('\n')
  expect(callsAt('a.server.ts', source, source.indexOf("'not_found'"))).toEqual(['show'])
  expect(callsAt('a.server.ts', source, source.indexOf("'required'"))).toEqual(['other'])
  const mutant = all.find(
    ({ file, codes }) => file === 'areas/money/fees/scholarships/grants.server.ts' && codes.includes('not_found'),
  )
  const stages = asked(mutant!)
  expect(stages[0]).toContain('areas/money/fees/fees.test.ts')
  // What is said to be not there is out of reach as well: every call is tried for that, at last.
  expect(stages.at(-1)).toContain('tests/every-call.test.ts')
})

it('the mutants of the sources are many, each has tests, and one seed draws the same', () => {
  expect(all.length).toBeGreaterThan(2000)
  expect(all.filter((one) => !asked(one).length)).toEqual([])
  expect(drawn(all, 5, 7)).toEqual(drawn(all, 5, 7))
  expect(new Set(drawn(all, 50, 7)).size).toBe(50)
  expect(drawn(all, 5, 8)).not.toEqual(drawn(all, 5, 7))
})
