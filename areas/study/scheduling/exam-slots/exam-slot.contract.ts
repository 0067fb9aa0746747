import { z } from 'zod'
import { call, f, lookup } from '#kit/contract/index.ts'

/** A named period in which exams are held, with its time in Ramadan. */
export const examSlot = lookup('examSlot', {
  path: '/exam-slots',
  one: ['Exam slot', 'فترة امتحان'],
  many: ['Exam slots', 'فترات الامتحانات'],
  adding: ['Add exam slot', 'إضافة فترة امتحان'],
  editing: ['Edit exam slot', 'تعديل فترة امتحان'],
  permissions: { import: null },
  fields: {
    start_time: f.time(['Begins', 'تبدأ'], { required: true }),
    end_time: f.time(['Ends', 'تنتهي'], { required: true }),
    ramadan_start_time: f.time(['Begins in Ramadan', 'تبدأ في رمضان'], { required: true }),
    ramadan_end_time: f.time(['Ends in Ramadan', 'تنتهي في رمضان'], { required: true }),
  },
  list: { order: ['start_time', 'asc'], sort: ['code', 'name', 'start_time'] },
  screens: { add: '/exam_slots/add', edit: '/exam_slots/edit/:id' },
  parent: '/schedule-settings',
  plain: false,
})

const ramadan = z.object({ data: z.object({ is_ramadan: z.boolean(), changed_at: z.string() }) })

export const examSlotCalls = {
  changeRamadanTime: call('PUT', '/exam-slots/change-ramadan-time', {
    permission: 'change_ramadan_time',
    summary: ['Switch Ramadan time of exams on or off', 'تبديل توقيت رمضان للامتحانات'],
    body: z.strictObject({ is_ramadan: z.boolean() }),
    response: ramadan,
    example: { is_ramadan: true },
  }),
  getRamadanTimeStatus: call('GET', '/exam-slots/get-ramadan-time-status', {
    permission: 'signed_in',
    summary: ['Whether Ramadan time of exams applies', 'هل يسري توقيت رمضان على الامتحانات'],
    response: ramadan,
  }),
}
