import { expect, test } from 'vitest'
import { checkSubmitted, specificationGaps, type SpecificationFacts } from './gaps.rules.ts'

const named = (id: number) => ({ id, name: `N${id}`, name_local: `ن${id}` })
const SOUND: SpecificationFacts = {
  of: 'course',
  outcomes: [
    { id: 1, code: 'K1' },
    { id: 2, code: 'S1' },
  ],
  topics: [named(1), named(2)],
  assessments: [
    { ...named(1), weight: 3333 },
    { ...named(2), weight: 6667 },
  ],
  taught: [
    [1, 1],
    [2, 2],
  ],
  assessed: [
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
  ],
  serves: [
    { outcome_id: 1, program: 'CS', code: 'A1', known: true },
    { outcome_id: 2, program: 'CS', code: 'A2', known: true },
  ],
  wanted: true,
  served: [],
  schemes: [],
}

const TABLE: readonly [string, Partial<SpecificationFacts>, readonly [code: string, blocks: boolean][]][] = [
  ['nothing is missing', {}, []],
  [
    'no outcomes',
    { outcomes: [], taught: [], assessed: [], serves: [] },
    [
      ['spec_outcomes_none', true],
      ['spec_topic_idle', false],
      ['spec_topic_idle', false],
      ['spec_assessment_idle', false],
      ['spec_assessment_idle', false],
    ],
  ],
  [
    'an outcome nobody assesses',
    {
      assessed: [
        [1, 1],
        [1, 2],
      ],
    },
    [['spec_outcome_not_assessed', true]],
  ],
  [
    'one assessed once only',
    {
      assessed: [
        [1, 1],
        [1, 2],
        [2, 1],
      ],
    },
    [['spec_outcome_assessed_once', false]],
  ],
  [
    'one that no topic teaches',
    {
      taught: [
        [1, 1],
        [1, 2],
      ],
    },
    [['spec_outcome_not_taught', true]],
  ],
  [
    'a topic for no outcome',
    {
      taught: [
        [1, 1],
        [2, 1],
      ],
    },
    [['spec_topic_idle', false]],
  ],
  [
    'an assessment of no outcome',
    {
      assessments: [
        { ...named(1), weight: 5000 },
        { ...named(2), weight: 4000 },
        { ...named(3), weight: 1000 },
      ],
    },
    [['spec_assessment_idle', false]],
  ],
  [
    'weights below the whole',
    {
      assessments: [
        { ...named(1), weight: 3333 },
        { ...named(2), weight: 6666 },
      ],
    },
    [['spec_weights_sum', true]],
  ],
  [
    'weights above the whole',
    {
      assessments: [
        { ...named(1), weight: 3334 },
        { ...named(2), weight: 6667 },
      ],
    },
    [['spec_weights_sum', true]],
  ],
  [
    'a weight that nobody gave',
    {
      assessments: [
        { ...named(1), weight: 3333 },
        { ...named(2), weight: null },
      ],
    },
    [['spec_weights_sum', true]],
  ],
  [
    'no assessments at all',
    { assessments: [], assessed: [] },
    [
      ['spec_weights_sum', true],
      ['spec_outcome_not_assessed', true],
      ['spec_outcome_not_assessed', true],
    ],
  ],
  ['an outcome that serves no program', { serves: SOUND.serves.slice(0, 1) }, [['spec_outcome_serves_none', false]]],
  ['no program wants any', { serves: [], wanted: false }, []],
  [
    'an outcome of a program that is gone',
    { serves: SOUND.serves.map((one) => ({ ...one, known: one.code !== 'A2' })) },
    [['spec_served_gone', false]],
  ],
  [
    'a mark scheme that differs',
    { schemes: [{ offering: 'X (1)', category: 'Final', category_local: 'نهائي', has: 50, wants: 60 }] },
    [['spec_scheme_differs', false]],
  ],
  ['a program all of whose outcomes are served', { of: 'program', served: ['K1', 'S1'] }, []],
  ['a program outcome no course serves', { of: 'program', served: ['K1'] }, [['spec_program_outcome_unserved', false]]],
  ['a program without outcomes', { of: 'program', outcomes: [], served: [] }, [['spec_outcomes_none', true]]],
]

test.each(TABLE)('%s', (_name, change, expected) => {
  const facts = { ...SOUND, ...change }
  expect(specificationGaps(facts).map(({ reason, blocks }) => [reason.code, blocks])).toEqual(expected)
  expect(checkSubmitted(facts).map(({ code }) => code)).toEqual(
    expected.filter(([, blocks]) => blocks).map(([code]) => code),
  )
})

test('a lack names what lacks it', () => {
  const [gap] = specificationGaps({
    ...SOUND,
    assessments: [
      { ...named(1), weight: 3333 },
      { ...named(2), weight: 6617 },
    ],
  })
  expect(gap?.reason).toEqual({ code: 'spec_weights_sum', data: { sum: 99.5 } })
  expect(
    specificationGaps({
      ...SOUND,
      taught: [
        [1, 1],
        [1, 2],
      ],
    })[0]?.reason.data,
  ).toEqual({ code: 'S1' })
})
