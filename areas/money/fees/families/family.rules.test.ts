import { expect, test } from 'vitest'
import { deserves, keepsIt, type Automatic, type ScholarshipFacts } from '../scholarships/scholarship.rules.ts'
import { checkFamily, type FamilyMember } from './family.rules.ts'

const member: FamilyMember = {
  student_id: 1,
  name: 'Mona',
  name_local: 'منى',
  status: 'studying',
  before: false,
  other: null,
  own: false,
  user_id: 11,
}
const brother: FamilyMember = { ...member, student_id: 2, user_id: 12 }

test.each<[string, readonly FamilyMember[], string[]]>([
  ['two who study', [member, brother], []],
  [
    'without accounts',
    [
      { ...member, user_id: null },
      { ...brother, user_id: null },
    ],
    [],
  ],
  ['nobody', [], ['family_of_one@members']],
  ['one alone', [member], ['family_of_one@members']],
  ['one twice', [member, member], ['family_of_one@members', 'family_member_once@members.1.student_id']],
  ['one person twice', [member, { ...brother, user_id: 11 }], ['family_same_person@members.1.student_id']],
  ['oneself', [member, { ...brother, own: true }], ['family_own@members.1.student_id']],
  ['who left', [member, { ...brother, status: 'withdrawn' }], ['family_not_studying@members.1.student_id']],
  ['who left since', [member, { ...brother, status: 'graduated', before: true }], []],
  ['who is of another', [{ ...member, other: 'Ali' }, brother], ['family_member_twice@members.0.student_id']],
  [
    'all of it',
    [{ ...member, own: true, other: 'Ali', status: 'dismissed' }],
    [
      'family_of_one@members',
      'family_own@members.0.student_id',
      'family_not_studying@members.0.student_id',
      'family_member_twice@members.0.student_id',
    ],
  ],
])('a family of %s', (_, members, expected) =>
  expect(checkFamily(members).map(({ code, field }) => `${code}@${field}`)).toEqual(expected),
)

const rule: Automatic = {
  basis: 'sibling',
  from_value: 2,
  to_value: null,
  bylaw_id: null,
  faculty_id: null,
  level: null,
  currency: null,
}
const student: ScholarshipFacts = {
  student_id: 1,
  bylaw_id: 1,
  faculty_id: 1,
  level: 1,
  percentage: null,
  gpa: null,
  rank: null,
  child: null,
  likely: null,
  pays_in: 'EGP',
}
test.each<
  [child: number | null, likely: number | null, more: Partial<Automatic>, expected: [boolean, number | null, boolean]]
>([
  [null, null, {}, [false, null, false]],
  [1, 1, {}, [false, 1, false]],
  [2, 2, {}, [true, 2, false]],
  [3, 4, {}, [true, 3, false]],
  [null, 2, {}, [false, 2, true]],
  [1, 2, {}, [false, 2, true]],
  [2, 3, { from_value: 3 }, [false, 3, true]],
  [3, 3, { to_value: 2 }, [false, 3, false]],
  [null, 3, { to_value: 2 }, [false, null, false]],
  [2, 2, { faculty_id: 2 }, [false, 2, false]],
  [null, 2, { level: 2 }, [false, null, false]],
  [null, 2, { basis: 'gpa' }, [false, null, false]],
  [null, 2, { currency: 'USD' }, [false, null, false]],
])('as child %s, likely %s, of %o', (child, likely, more, [has, value, proposed]) =>
  expect(deserves({ ...rule, ...more }, { ...student, child, likely })).toEqual({ has, value, proposed }),
)

test.each<[has: boolean, proposed: boolean, by: 'family' | 'household' | null, keeps: boolean]>([
  [true, false, 'family', true],
  [true, false, 'household', true],
  [false, true, 'family', false],
  [false, true, 'household', true],
  // Given before anybody asked by what.
  [false, true, null, true],
  [false, false, null, false],
  [false, false, 'household', false],
  [false, false, 'family', false],
])('who has it (%s), or is proposed (%s), by %s', (has, proposed, by, keeps) =>
  expect(keepsIt({ has, value: 2, proposed }, by)).toBe(keeps),
)
