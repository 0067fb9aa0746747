import { z } from 'zod'
import { call, f, lookup, ref } from '#kit/contract/index.ts'

/** What students write on in an exam: a booklet, a sheet that a machine reads, a drawing sheet. */
export const paperType = lookup('examPapersType', {
  path: '/exam-papers-types',
  table: 'exam_papers_types',
  one: ['Exam paper type', 'نوع ورقة امتحان'],
  many: ['Exam paper types', 'أنواع أوراق الامتحان'],
  adding: ['Add exam paper type', 'إضافة نوع ورقة امتحان'],
  editing: ['Edit exam paper type', 'تعديل نوع ورقة امتحان'],
  fields: {
    pages: f.integer(['Pages', 'عدد الصفحات'], { min: 1, max: 200 }),
    is_machine_read: f.flag(['Read by a machine', 'تُصحح آليًا']),
  },
  screens: {
    list: '/papers_types',
    show: '/papers_types/:id',
    add: '/papers_types/add/:id?',
    edit: '/papers_types/edit/:id',
  },
  menu: { group: 'exams', order: 90, icon: 'notebook', setup: true },
})

export const paperTypeCalls = {
  lookups: call('GET', '/exam-papers-types/lookups', {
    permission: 'access_examPapersType',
    summary: ['Exam paper types to choose from', 'أنواع أوراق الامتحان للاختيار'],
    response: z.object({
      data: z.array(ref.extend({ pages: z.int().nullable(), is_machine_read: z.boolean() })),
    }),
  }),
}
