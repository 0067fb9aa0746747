import { describe, expect, test } from 'vitest'
import { requirement } from './tree.contract.ts'
import { checkRequirements, type Known } from './check.rules.ts'
import type { CoursesOf, Requirement, Selector } from './tree.rules.ts'

const known: Known = {
  courses: new Map([1, 2, 3, 4].map((id) => [id, { code: `CS ${id}01`, credit_hours: id === 4 ? 1.5 : 3 }])),
  tags: new Set([1]),
  departments: new Set([1]),
  faculties: new Set([1]),
  pools: new Set([1]),
}
const name = (key: string) => ({ key, name: `The ${key}`, name_local: key })
const course = (...ids: number[]): Selector[] => ids.map((course_id) => ({ by: 'course', course_id }))
const leaf = (key: string, change: Partial<CoursesOf> = {}): CoursesOf => ({
  kind: 'courses',
  ...name(key),
  unit: 'courses',
  min: 1,
  from: course(1, 2),
  ...change,
})
const all = (...parts: Requirement[]): Requirement => ({ kind: 'all', ...name('root'), parts })
const found = (tree: Requirement) => checkRequirements(tree, known).map(({ field, code }) => `${field} ${code}`)

describe('checkRequirements', () => {
  test('a sound tree, which the schema lets through as well', () => {
    const tree = all(
      leaf('core', { min: 'all' }),
      leaf('labs', { unit: 'hours', min: 4.5, from: course(3, 4) }),
      {
        kind: 'sum',
        ...name('electives'),
        unit: 'hours',
        min: 12,
        parts: [
          leaf('level3', { unit: 'hours', min: 0, max_counted: 6, from: [{ by: 'code', pattern: 'CS 3*' }] }),
          leaf('others', {
            unit: 'hours',
            min: 3,
            from: [
              {
                by: 'both',
                of: [
                  { by: 'tag', tag_id: 1 },
                  { by: 'pool', pool_id: 1 },
                ],
              },
            ],
          }),
        ],
      },
      { kind: 'gpa', ...name('major-gpa'), min: 2.5, from: [{ by: 'requirement', key: 'core' }] },
      { kind: 'total', ...name('total'), unit: 'hours', min: 136, of: 'counted' },
    )
    expect(requirement.safeParse(tree).success).toBe(true)
    expect(found(tree)).toEqual([])
  })

  test.each<[string, Requirement, string[]]>([
    ['nothing in it', all(), ['parts requirement_empty']],
    ['no courses', all(leaf('a', { from: [] })), ['parts.0.from requirement_no_courses']],
    ['a key twice', all(leaf('a'), leaf('a')), ['parts.1.key requirement_key_twice']],
    ['more courses than listed', all(leaf('a', { min: 3 })), ['parts.0.min requirement_min_beyond']],
    [
      'more hours than listed',
      all(leaf('a', { unit: 'hours', min: 4.51, from: course(3, 4) })),
      ['parts.0.min requirement_min_beyond'],
    ],
    [
      'what is left out cannot be given',
      all(leaf('a', { min: 2, except: course(2) })),
      ['parts.0.min requirement_min_beyond'],
    ],
    ['everything left out', all(leaf('a', { except: course(1, 2) })), ['parts.0.except requirement_all_excluded']],
    [
      'a cap under the minimum',
      all(leaf('a', { min: 2, max_counted: 1 })),
      ['parts.0.max_counted requirement_cap_under_min'],
    ],
    [
      'more parts than there are',
      { kind: 'some', ...name('s'), min: 2, parts: [leaf('a')] },
      ['min requirement_min_beyond'],
    ],
    [
      'caps of the parts under the minimum of their sum',
      {
        kind: 'sum',
        ...name('s'),
        unit: 'courses',
        min: 3,
        parts: [leaf('a', { max_counted: 1 }), leaf('b', { max_counted: 1 })],
      },
      ['min requirement_min_beyond'],
    ],
    [
      'hours in a sum of courses',
      { kind: 'sum', ...name('s'), unit: 'courses', min: 1, parts: [leaf('a', { unit: 'hours' })] },
      ['parts.0 requirement_unit'],
    ],
    [
      'half a part',
      { kind: 'some', ...name('s'), min: 1.5, parts: [leaf('a'), leaf('b')] },
      ['min requirement_whole_number'],
    ],
    [
      'courses that are all of nothing',
      all(leaf('a', { from: [{ by: 'both', of: [] }] })),
      ['parts.0.from.0 requirement_no_courses'],
    ],
    ['half a course', all(leaf('a', { min: 1.5 })), ['parts.0.min requirement_whole_number']],
    [
      'every course of a pattern',
      all(leaf('a', { min: 'all', from: [{ by: 'any' }] })),
      ['parts.0.min requirement_all_open'],
    ],
    ['a course twice', all(leaf('a', { from: course(1, 1) })), ['parts.0.from.1 requirement_course_twice']],
    ['an unknown course', all(leaf('a', { from: course(9) })), ['parts.0.from.0 requirement_course_unknown']],
    [
      'an unknown tag deep inside',
      all(leaf('a', { from: [{ by: 'both', of: [{ by: 'tag', tag_id: 9 }] }] })),
      ['parts.0.from.0.of.0 requirement_tag_unknown'],
    ],
    [
      'an unknown pool left out',
      all(leaf('a', { except: [{ by: 'pool', pool_id: 9 }] })),
      ['parts.0.except.0 requirement_pool_unknown'],
    ],
    ['no pattern', all(leaf('a', { from: [{ by: 'code', pattern: 'C*S' }] })), ['parts.0.from.0 requirement_pattern']],
    [
      'levels the wrong way round',
      all(leaf('a', { from: [{ by: 'level', from: 4, to: 3 }] })),
      ['parts.0.from.0 requirement_level'],
    ],
    [
      'an unknown requirement',
      all(leaf('a', { from: [{ by: 'requirement', key: 'z' }] })),
      ['parts.0.from.0 requirement_unknown'],
    ],
    [
      'courses from itself',
      all(leaf('a', { from: [{ by: 'requirement', key: 'a' }] })),
      ['parts.0.from.0 requirement_cycle'],
    ],
    [
      'courses from what contains it',
      all(leaf('a', { from: [{ by: 'requirement', key: 'root' }] })),
      ['parts.0.from.0 requirement_cycle'],
    ],
    [
      'in a circle',
      all(
        leaf('a', { from: [{ by: 'requirement', key: 'b' }] }),
        leaf('b', { from: [{ by: 'requirement', key: 'a' }] }),
      ),
      ['parts.0.from.0 requirement_cycle', 'parts.1.from.0 requirement_cycle'],
    ],
  ])('%s', (_name, tree, expected) => expect(found(tree)).toEqual(expected))

  test('names departments and faculties that are there', () => {
    const from = (one: Selector) => found(all(leaf('a', { from: [one] })))
    expect(from({ by: 'department', department_id: 1 })).toEqual([])
    expect(from({ by: 'department', department_id: 2 })).toEqual(['parts.0.from.0 requirement_department_unknown'])
    expect(from({ by: 'faculty', faculty_id: 2 })).toEqual(['parts.0.from.0 requirement_faculty_unknown'])
  })

  test('has so many requirements, and so deep, as anybody can follow', () => {
    const deep = (levels: number): Requirement =>
      Array.from({ length: levels }, (_, i) => i).reduce<Requirement>(
        (inner, i) => ({ ...all(inner), ...name(`level ${i}`) }),
        leaf('a'),
      )
    expect(found(deep(8))).toEqual([])
    expect(found(deep(9)).map((one) => one.split(' ')[1])).toEqual(['requirement_too_deep'])
    const many = (count: number) => all(...Array.from({ length: count - 1 }, (_, i) => leaf(`part ${i}`)))
    expect(found(many(300))).toEqual([])
    expect(found(many(301))).toEqual([' requirement_too_many'])
  })

  test('names the place and what fails', () => {
    expect(checkRequirements(all(leaf('a', { min: 3 })), known)[0]?.data).toEqual({ place: 'The a', min: 3, max: 2 })
    const [circle] = checkRequirements(
      all(
        leaf('a', { from: [{ by: 'requirement', key: 'b' }] }),
        leaf('b', { from: [{ by: 'requirement', key: 'a' }] }),
      ),
      known,
    )
    expect(circle?.data.cycle).toBe('The a → The b → The a')
  })
})
