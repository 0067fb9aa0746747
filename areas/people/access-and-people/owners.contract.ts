import { GONE, owned, type Door, type Label } from '#kit/contract/index.ts'

const SET: Door = 'PUT /users/set/access/{id}'
/** A role is removed, and its holders are given another. */
const REPLACED: Door = 'POST /roles/{id}/replace'
/** Members of a group of a directory hold its role. */
const BY_GROUP: Door = 'PUT /directories/groups/{id}'
const GIVING: Label = ['whoever gives rights to a user', 'من يمنح المستخدم صلاحياته']

/** Who owns the states of a role that somebody holds: its days say them, and only who gives rights sets those. */
export const roleStates = owned({
  name: 'role_assignment',
  one: ['Role of a user', 'دور مستخدم'],
  table: 'role_assignments',
  state: `case when t.valid_from > university_today() then 'planned' when t.valid_to < university_today() then 'expired' else 'active' end`,
  states: {
    planned: { label: ['Planned', 'مجدول'], owner: GIVING, screen: '/users', doors: [SET, REPLACED] },
    active: {
      label: ['Active', 'نشط'],
      owner: GIVING,
      screen: '/users',
      doors: [SET, REPLACED, BY_GROUP, 'PUT /advisors/add-advisors', 'POST /people/{kind}/{id}/invite'],
    },
    expired: { label: ['Expired', 'منتهية'], owner: GIVING, screen: '/users', doors: [SET] },
    [GONE]: {
      label: ['Taken away', 'مسحوب'],
      owner: GIVING,
      screen: '/users',
      doors: [SET, REPLACED, BY_GROUP, 'POST /rights/reviews/{id}/decide', 'PUT /advisors/delete-advisors/{id}'],
    },
  },
})
