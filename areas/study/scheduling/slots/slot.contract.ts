import { z } from 'zod'
import { crud } from '#access/permissions.contract.ts'
import { call, f, inputSchema, resource, rowSchema } from '#kit/contract/index.ts'

/** A named period of the teaching day, with its time in Ramadan. */
export const slot = resource({
  name: 'slot',
  path: '/slots',
  table: 'slots',
  one: ['Time slot', 'فترة زمنية'],
  many: ['Time slots', 'الفترات الزمنية'],
  adding: ['Add time slot', 'إضافة فترة زمنية'],
  editing: ['Edit time slot', 'تعديل فترة زمنية'],
  permissions: { ...crud('slot'), import: null },
  scope: 'university',
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true, max: 100 }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true, max: 100 }),
    start_time: f.time(['Begins', 'تبدأ'], { required: true }),
    end_time: f.time(['Ends', 'تنتهي'], { required: true }),
    ramadan_start_time: f.time(['Begins in Ramadan', 'تبدأ في رمضان'], { required: true }),
    ramadan_end_time: f.time(['Ends in Ramadan', 'تنتهي في رمضان'], { required: true }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'start_time', 'end_time', 'ramadan_start_time', 'ramadan_end_time'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'start_time'],
    filters: [],
    order: ['start_time', 'asc'],
  },
  exportName: 'Time slots',
  softDelete: true,
  screens: { add: '/slots/add', edit: '/slots/edit/:id' },
  parent: '/schedule-settings',
})

const ramadan = z.object({ data: z.object({ is_ramadan: z.boolean(), changed_at: z.string() }) })

export const roomSlotCalls = {
  /** The same as PUT /slots; both stand in the documents. */
  addSlot: call('POST', '/slots/add', {
    permission: 'add_slot',
    summary: ['Add a time slot', 'إضافة فترة زمنية'],
    body: inputSchema(slot, 'create'),
    response: z.object({ data: rowSchema(slot, 'detail') }),
  }),
  changeRamadanTime: call('PUT', '/slots/change-ramadan-time', {
    permission: 'change_ramadan_time',
    summary: ['Switch Ramadan time on or off', 'تبديل توقيت رمضان'],
    body: z.strictObject({ is_ramadan: z.boolean() }),
    response: ramadan,
    example: { is_ramadan: true },
  }),
  getRamadanTimeStatus: call('GET', '/slots/get-ramadan-time-status', {
    permission: 'signed_in',
    summary: ['Whether Ramadan time applies', 'هل يسري توقيت رمضان'],
    response: ramadan,
  }),
}
