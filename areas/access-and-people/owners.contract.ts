import { GONE, owned, type Door, type Label } from '#kit/contract/index.ts'

const GIVEN: readonly Door[] = [
  'PUT /users/set/access/{id}',
  'POST /users/access/{id}',
  'PUT /users',
  'PUT /users/{id}',
  'PUT /directories/groups/{id}',
  'POST /rights/reviews/{id}/decide',
]
const GIVING: Label = ['whoever gives rights to a user', 'من يمنح المستخدم صلاحياته']

/** Who owns the states of a role that somebody holds: its days say them, and only who gives rights sets those. */
export const roleStates = owned({
  name: 'role_assignment',
  one: ['Role of a user', 'دور مستخدم'],
  table: 'role_assignments',
  state: `case when t.valid_from > university_today() then 'planned' when t.valid_to < university_today() then 'expired' else 'active' end`,
  states: {
    planned: { label: ['Planned', 'مجدول'], owner: GIVING, screen: '/users', doors: GIVEN },
    active: { label: ['Active', 'نشط'], owner: GIVING, screen: '/users', doors: GIVEN },
    expired: { label: ['Expired', 'منتهية'], owner: GIVING, screen: '/users', doors: GIVEN },
    [GONE]: {
      label: ['Taken away', 'مسحوب'],
      owner: GIVING,
      screen: '/users',
      doors: [...GIVEN, 'DELETE /users/access/{id}'],
    },
  },
})
