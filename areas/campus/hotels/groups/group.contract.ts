import { crud } from '#access/permissions.contract.ts'
import { call, f, id, resource, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'
import { inDays } from '../days.contract.ts'

/** Beds that are held for a group; its members are given them one by one. */
export const bedGroup = resource({
  name: 'bedGroup',
  path: '/bed-groups',
  table: 'bed_groups',
  one: ['Group', 'مجموعة'],
  many: ['Groups', 'المجموعات'],
  adding: ['Hold beds for a group', 'حجز أسرّة لمجموعة'],
  editing: ['Edit group', 'تعديل المجموعة'],
  permissions: { ...crud('hotel'), import: null, restore: null },
  scope: ['faculty'],
  fields: {
    name: f.text(['Name', 'الاسم'], { required: true }),
    contact: f.text(['Contact', 'مسؤول الاتصال'], {}),
    hostel_id: f.lookup(['Hostel', 'مبنى السكن'], 'hostel', { required: true, createOnly: true }),
    from_day: f.date(['First night', 'أول ليلة'], { required: true, createOnly: true }),
    until_day: f.date(['Leave on', 'يوم المغادرة'], { required: true, createOnly: true }),
    beds: f.integer(['Beds', 'الأسرّة'], { required: true, min: 1, max: 500, createOnly: true }),
    named: f.integer(['Given to members', 'المخصص لأعضاء'], { readOnly: true }),
  },
  list: {
    columns: ['name', 'hostel_id', 'from_day', 'until_day', 'beds', 'named', 'contact'],
    search: ['name'],
    sort: ['name', 'from_day'],
    filters: ['hostel_id', 'from_day'],
    order: ['from_day', 'desc'],
  },
  exportName: 'Groups',
  softDelete: true,
  examples: [1, 2, 3, 4].map((n) => ({
    name: `Choir ${n}`,
    contact: null,
    hostel_id: 1,
    from_day: inDays(1000 + 10 * n),
    until_day: inDays(1004 + 10 * n),
    beds: 2,
  })),
  screens: { list: '/bed-groups', show: '/bed-groups/:id', add: '/bed-groups/add', edit: '/bed-groups/edit/:id' },
  menu: { group: 'services', order: 65, icon: 'users-group', subject: 'hotels' },
  plain: false,
})

const place = z.object({
  id,
  code: z.string(),
  bed: z.string(),
  status: z.string(),
  /** Who was given it. */
  name: z.string().nullable(),
  name_local: z.string().nullable(),
})
export type GroupPlace = z.output<typeof place>

export const bedGroupCalls = {
  places: call('GET', '/bed-groups/{id}/places', {
    permission: 'show_hotel',
    summary: ['Beds of a group, and who was given them', 'أسرّة المجموعة ومن خُصصت له'],
    response: z.object({ data: z.array(place) }),
  }),
  giveMember: call('POST', '/bed-groups/{id}/members', {
    permission: 'edit_hotel',
    summary: ['Give a bed of a group to a member', 'تخصيص سرير من المجموعة لعضو'],
    body: z.strictObject({
      student_id: id.nullish(),
      guest_name: safeText(200).nullish(),
      gender: z.int().min(1).max(2).nullish(),
    }),
    response: z.object({ data: z.object({ id, code: z.string(), bed_id: id }) }),
    example: { guest_name: 'Tarek Fahmy', gender: 1 },
  }),
}
